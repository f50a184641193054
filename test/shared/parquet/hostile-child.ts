// Reads every hostile file, as a list or with `release` as an import does. Prints JSON: what was said of each, and the memory of all.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readParquet } from "../../../src/files/formats/parquet.ts";
import { KnownError } from "../../../src/shared/errors.ts";
import { openParquet } from "../../../src/shared/parquet/parquet.ts";
import { BOMBS, DAMAGED, hostileFile, page } from "./hostile.ts";

const MB = 1024 * 1024;
const [how, only] = process.argv.slice(2);
const file = path.join(tmpdir(), `hostile-${process.pid}.parquet`);

async function rowsOf(bytes: Buffer): Promise<number> {
  let count = 0;
  if (how === "release") {
    writeFileSync(file, bytes);
    const { columns, groups } = await openParquet(file);
    for (const group of groups) for await (const { rows } of group.read(columns)) count += rows;
    return count;
  }
  const source = {
    size: bytes.length,
    async *bytes(start = 0, end = bytes.length) {
      yield bytes.subarray(start, end);
    },
  };
  const { rows } = await readParquet(source, { mostColumns: 500, mostRows: 50_000_000 });
  for await (const _ of rows) count += 1;
  return count;
}

/** An operator's files may have larger parts, but contradict themselves no more than others. */
const isWanted = ({ what, words }: (typeof BOMBS)[number]) =>
  (!only || what === only) && (how === "list" || words.test(DAMAGED));

/** Linux forgets the most memory that a process has had, so that each file's own is seen. */
const forget = () => {
  globalThis.gc?.();
  writeFileSync("/proc/self/clear_refs", "5");
};

/** In MB. Not getrusage()'s, which also counts what the process had that started this one. */
const mostSince = (): number => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;

async function outcomeOf({ what, file: make }: (typeof BOMBS)[number]) {
  const bytes = make();
  forget();
  const before = process.memoryUsage();
  const begun = performance.now();
  const said = await rowsOf(bytes).then(
    (rows) => `read ${rows} rows`,
    (error) => (error instanceof KnownError ? error.message : `unforeseen: ${error.stack}`),
  );
  const ms = performance.now() - begun;
  const buffers = (process.memoryUsage().arrayBuffers - before.arrayBuffers) / MB;
  return { what, size: bytes.length, said, ms, rss: mostSince() - before.rss / MB, buffers };
}

try {
  await rowsOf(hostileFile({ rows: 9, columns: [{ pages: page({ values: 9, bytes: Buffer.alloc(36) }) }] }));
  const outcomes = [];
  for (const bomb of BOMBS.filter(isWanted)) outcomes.push(await outcomeOf(bomb));
  process.stdout.write(JSON.stringify(outcomes));
} finally {
  rmSync(file, { force: true });
}
