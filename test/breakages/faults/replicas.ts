import type { Breakage } from "../breakage.ts";

const REPLICAS = "test/db/replicas.test.ts";
const RUNNING = "test/attacks/faults/replicas.test.ts";
const POOLER = "test/db/pooler.test.ts";

/** Group F: poolers. Group C: replicas. */
export const replicaBreakages: Breakage[] = [
  {
    id: "C32",
    breaks: "what is written by lines does not count as the caller's last write",
    file: "src/directory/api/common/write-each.ts",
    find: "if (deps.replicas.isConfigured) await noteWrite(deps.pool, caller);",
    replace: "if (!deps.replicas.isConfigured) await noteWrite(deps.pool, caller);",
    test: RUNNING,
  },
  {
    id: "C32",
    breaks: "a replica is asked whatever the caller last wrote",
    file: "src/db/replicas.ts",
    find: "replica.position >= position;",
    replace: "replica.position >= 0 * position;",
    test: REPLICAS,
  },
  {
    id: "C32",
    breaks: "what fails at a replica is not asked of the primary",
    file: "src/db/replicas.ts",
    find: "not asked until a poll gets one\n      return primary.query(...given);",
    replace: "not asked until a poll gets one\n      throw error;",
    test: REPLICAS,
  },
  {
    id: "C32",
    breaks: "a replica of another server is asked",
    file: "src/db/replicas.ts",
    find: "if (newest && newest.system !== system)",
    replace: "if (newest && system === undefined)",
    test: REPLICAS,
  },
  {
    id: "C32",
    breaks: "a replica is asked however far behind it is",
    file: "src/db/replicas.ts",
    find: "lagOf(replica) <= lagLimitMs;",
    replace: "lagOf(replica) >= 0 * lagLimitMs;",
    test: REPLICAS,
  },
  {
    id: "C32",
    breaks: "the writes of a caller are not noted",
    file: "src/directory/endpoint/endpoint.ts",
    find: "return writes && deps.replicas.isConfigured",
    replace: "return writes && !deps.replicas.isConfigured",
    test: RUNNING,
  },
  {
    id: "C32",
    breaks: "a write is not noted for the application's own calls",
    file: "src/directory/last-write.ts",
    find: "values: [[userId, clientId]],",
    replace: "values: [[userId, `of ${clientId}`]],",
    test: RUNNING,
  },
  {
    id: "C32",
    breaks: "the primary is not looked for again after a lost connection",
    file: "src/db/primary.ts",
    find: "primary: findPrimary(hosts)",
    replace: 'primary: Promise.resolve(hosts[0] ?? "")',
    test: RUNNING,
  },
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
    find: "const client = await connect({\n    connectionString: url,",
    replace: 'const client = await (await import("./connections.ts")).connectBare({\n    connectionString: url,',
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
