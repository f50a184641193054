// `npm run citus`: tests the directory on a real Citus cluster, in databases of their own. TEST_CITUS_URL names a database with the
// extension citus and its nodes, as a user who may create databases on all of them (docs/scaling.md). With TEST_CITUS_NODES, the
// folder that has the nodes' data on this machine, it also stops a node and moves venues between nodes.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const TESTS = [
  "test/attacks/api/adding.test.ts",
  "test/attacks/api/annotations.test.ts",
  "test/attacks/api/own-checkins.test.ts",
  "test/attacks/api/repeated.test.ts",
  "test/attacks/pages/attributions.test.ts",
  "test/citus/cluster.test.ts",
  "test/citus/results.test.ts",
  "test/directory/api",
  "test/directory/auth/operator/duplicates.test.ts",
  "test/directory/auth/operator/new-venues.test.ts",
  "test/directory/auth/operator/proposals.test.ts",
  "test/directory/auth/operator/venues.test.ts",
  "test/directory/auth/search.test.ts",
  "test/directory/categories.test.ts",
  "test/directory/corrections.test.ts",
  "test/directory/demo-checkins.test.ts",
  "test/directory/docs/answers.test.ts",
  "test/directory/docs/examples.test.ts",
  "test/directory/duplicates",
  "test/directory/edits.test.ts",
  "test/directory/endpoint/idempotency.test.ts",
  "test/directory/import",
  "test/directory/map/tile.test.ts",
  "test/directory/places",
  "test/directory/reconcile",
  "test/directory/sample-removal.faults.test.ts",
  "test/directory/sample.faults.test.ts",
  "test/directory/sweep.test.ts",
  "test/directory/venues/match-candidates.test.ts",
  "test/directory/venues/match-instances.test.ts",
  "test/directory/venues/nearest-of-categories.test.ts",
  "test/directory/venues/neighbours.faults.test.ts",
  "test/directory/venues/renormalize.faults.test.ts",
  "test/directory/venues/text-search.test.ts",
  "test/directory/venues/tiles.test.ts",
  "test/harmonize/add/directory-ours.test.ts",
  "test/harmonize/add/undo.test.ts",
];

/** One after another, and after the others, because they take the cluster's nodes from all databases. */
const OF_NODES = ["test/citus/node-stopped.test.ts", "test/citus/rebalance.test.ts"];

const vitest = (workers: number, tests: string[]) =>
  spawnSync("npx", ["vitest", "run", "--maxWorkers", `${workers}`, ...tests], { stdio: "inherit" }).status ?? 1;

if (process.env.TEST_CITUS_URL) {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-citus-"));
  const sentAgain = path.join(folder, "sent-again");
  writeFileSync(sentAgain, "");
  process.env.TEST_CITUS_SENT_AGAIN = sentAgain;
  const status = vitest(2, TESTS);
  if (!process.env.TEST_CITUS_NODES)
    console.log("skipped: no node was stopped and no venue moved, because TEST_CITUS_NODES is not set");
  const ofNodes = process.env.TEST_CITUS_NODES ? vitest(1, OF_NODES) : 0;
  console.log(`Calls answered 503 and sent again: ${readFileSync(sentAgain, "utf8").split("\n").length - 1}`);
  rmSync(folder, { recursive: true });
  process.exitCode = status || ofNodes;
} else {
  console.error(
    "Set TEST_CITUS_URL to a database with the extension citus, for example postgresql://postgres@localhost/postgres.",
  );
  process.exitCode = 2;
}
