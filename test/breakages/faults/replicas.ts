import type { Breakage } from "../breakage.ts";

const POOLER = "test/db/pooler.test.ts";

/** Group F: poolers. Group C: replicas. */
export const replicaBreakages: Breakage[] = [
  {
    id: "F35",
    breaks: "a pooler's client sends names of statements that the pooler does not keep",
    file: "src/db/pooler.ts",
    find: "name && keepsNames ?",
    replace: "name ?",
    test: POOLER,
  },
  {
    id: "F35",
    breaks: "settings stay on the pooler's connection",
    file: "src/db/pooler.ts",
    find: "`SET LOCAL ${name}",
    replace: "`SET ${name}",
    test: POOLER,
  },
  {
    id: "F35",
    breaks: "a transaction of its own has no limits",
    file: "src/db/pooler.ts",
    find: "query.text.replace(BEGINS, begin)",
    replace: "query.text",
    test: POOLER,
  },
  {
    id: "F35",
    breaks: "the migrations accept a pooler",
    file: "src/db/migrate.ts",
    find: "connectionString: withOptions(url, { statement_timeout: 0 }),",
    replace: "connectionString: url,",
    test: POOLER,
  },
  {
    id: "F35",
    breaks: "the address with a session may lead to another database",
    file: "src/db/through-pooler.ts",
    find: "    await requireSame(client, owner);\n",
    replace: "",
    test: POOLER,
  },
];
