import type { Breakage } from "../breakage.ts";

const test = "test/attacks/faults/own-defaults.faults.test.ts";

/** Group F: a PostgreSQL with other defaults than the embedded one. */
export const ownDefaultsBreakages: Breakage[] = [
  {
    id: "F83",
    breaks: "searches are compiled",
    file: "src/db/server-settings.ts",
    find: '  { name: "jit", connection: "off" },\n',
    replace: "",
    test,
  },
  {
    id: "F83",
    breaks: "times come as the database writes them",
    file: "src/db/server-settings.ts",
    find: '  { name: "DateStyle", connection: "ISO, YMD" },\n',
    replace: "",
    test,
  },
  {
    id: "F83",
    breaks: "a limit of the database ends connections outside the pools",
    file: "src/db/server-settings.ts",
    find: '  { name: "idle_session_timeout", connection: "0" },\n',
    replace: "",
    test,
  },
  {
    id: "F83",
    breaks: "connections outside the pools have the settings of the database",
    file: "src/db/connections.ts",
    find: "connectionString: withOptions(connectionString, CONNECTION_SETTINGS)",
    replace: "connectionString",
    test,
  },
  {
    id: "F83",
    breaks: "searches of pools are compiled",
    file: "src/db/connections.ts",
    find: "const settings = { ...CONNECTION_SETTINGS, ...own };",
    replace: 'const settings = { ...CONNECTION_SETTINGS, jit: "on", ...own };',
    test,
  },
  {
    id: "F83",
    breaks: "behind a pooler transactions have the settings of the database besides the pool's",
    file: "src/db/connections.ts",
    find: "inTransactions(client, address, settings)",
    replace: "inTransactions(client, address, own ?? {})",
    test,
  },
  {
    id: "F83",
    breaks: "behind a pooler a transaction has the isolation of the database",
    file: "src/db/pooler.ts",
    find: "`BEGIN ISOLATION LEVEL ${isolation}; ",
    replace: "`BEGIN; SET LOCAL default_transaction_isolation = '${isolation}'; ",
    test,
  },
  {
    id: "doctor",
    breaks: "a log that quotes rows is fine",
    file: "src/db/server-settings.ts",
    find: 'isWrong: (value) => value !== "terse",',
    replace: 'isWrong: (value) => value === "verbose",',
    test: "test/cli/doctor.faults.test.ts",
  },
];
