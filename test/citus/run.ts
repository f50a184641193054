// `npm run citus`: tests the directory on a real Citus cluster, in databases of their own. TEST_CITUS_URL names a database with the
// extension citus and its nodes, as a user who may create databases on all of them (docs/operations.md).
import { spawnSync } from "node:child_process";

const TESTS = [
  "test/citus",
  "test/directory/api",
  "test/directory/corrections.test.ts",
  "test/directory/duplicates",
  "test/directory/edits.test.ts",
  "test/directory/import",
  "test/directory/reconcile",
  "test/directory/venues/text-search.test.ts",
];

if (process.env.TEST_CITUS_URL) {
  const args = ["vitest", "run", "--maxWorkers", "2", ...TESTS];
  process.exitCode = spawnSync("npx", args, { stdio: "inherit" }).status ?? 1;
} else {
  console.error(
    "Set TEST_CITUS_URL to a database with the extension citus, for example postgresql://postgres@localhost/postgres.",
  );
  process.exitCode = 2;
}
