import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";

export interface Scratch {
  /** Deleted at the end. */
  folder: string;
  /** An empty database on its own embedded PostgreSQL with the usual settings. */
  url: string;
}

/** Runs `work` with a folder and a database, which it removes afterwards, even after Ctrl-C. */
export async function withScratch<Result>(work: (scratch: Scratch) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-bench-"));
  chmodSync(folder, 0o755); // the server may run as another user
  const embedded = await startEmbedded({ dir: path.join(folder, "database") });
  const clear = async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const interrupted = () => clear().finally(() => process.exit(130));
  process.once("SIGINT", interrupted);
  return work({ folder, url: embedded.url }).finally(() => {
    process.off("SIGINT", interrupted);
    return clear();
  });
}
