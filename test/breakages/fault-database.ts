import type { Breakage } from "./breakage.ts";

/** Group F, PostgreSQL that ends connections, goes away under a command, or serves two people at once. */
export const databaseBreakages: Breakage[] = [
  {
    id: "F29",
    breaks: "nobody hears the errors of a connection that a pool has handed out",
    file: "src/db/connections.ts",
    find: '  pool.on("connect", (client) => client.on("error", ignore));\n',
    replace: "",
    test: "test/db/connections.test.ts",
  },
  {
    id: "F29",
    breaks: "Prisma makes its pool itself",
    file: "src/db/database.ts",
    find: "adapter: new PrismaPg(prismaPool),",
    replace: "adapter: new PrismaPg({ ...common, max: 10 }),",
    test: "test/db/connections.test.ts",
  },
  {
    id: "F29",
    breaks: "a connection within a transaction goes back to the pool",
    file: "src/db/connections.ts",
    find: 'if (client.getTransactionStatus() !== "I")',
    replace: "if (!client)",
    test: "test/db/connections.test.ts",
  },
  {
    id: "F29",
    breaks: "a connection outside of the pools has no listener",
    file: "src/db/connections.ts",
    find: '  client.on("error", ignore);\n',
    replace: "",
    test: "test/attacks/connections-ended.test.ts",
  },
  {
    id: "F31",
    breaks: "nobody is told what others have decided meanwhile",
    file: "src/harmonize/family.ts",
    find: "if (rest === 0) return",
    replace: "if (rest >= 0) return",
    test: "test/web/harmonize-family.test.ts",
  },
  {
    id: "F31",
    breaks: "an order for a family counts as done for all that its person was told of",
    file: "src/harmonize/family.ts",
    find: "return { decided: rows.length, overtaken,",
    replace: "return { decided: expected, overtaken,",
    test: "test/web/harmonize-family.test.ts",
  },
  {
    id: "F04",
    breaks: "a command gives up as soon as the database is away",
    file: "src/cli/patience.ts",
    find: "if (!isUnavailable(error)) throw error;",
    replace: "if (error) throw error;",
    test: "test/cli/database-gone.test.ts",
  },
  {
    id: "F31",
    breaks: "who moves the cuts moves them over what somebody else has chosen meanwhile",
    file: "src/web/harmonize/run-cuts.ts",
    find: "cuts, seenCuts(request.body));",
    replace: "cuts);",
    test: "test/web/harmonize-family.test.ts",
  },
];
