import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { MEGABYTE, MOST_PAGES } from "../../../src/files/formats/base/limits.ts";
import { BOMBS } from "./hostile.ts";

interface Outcome {
  what: string;
  said: string;
  rss: number;
  buffers: number;
}

/** In a process of its own, so that its memory is that of the reader. */
async function outcomesOf(how: "list" | "release"): Promise<Map<string, Outcome>> {
  const child = path.join(import.meta.dirname, "hostile-child.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", child, how], { maxBuffer: 2 ** 26 });
  return new Map((JSON.parse(stdout) as Outcome[]).map((outcome) => [outcome.what, outcome]));
}

/** Of memory in MB, for what a file only claims, and for what it really has. */
const [CLAIMED, REAL] = [100, MOST_PAGES / MEGABYTE + 100];

// Some 80 files, of which three unpack 256 MB before they are refused.
test("F77: a Parquet file that claims more than it has is refused with a word, in 100 MB of memory; one that has too much, in 100 more than may be held", async () => {
  const outcomes = await outcomesOf("list");
  const wrong = BOMBS.filter(({ what, words, isReal }) => {
    const { said = "", rss = Infinity, buffers = Infinity } = outcomes.get(what) ?? {};
    return !words.test(said) || Math.max(rss, buffers) > (isReal ? REAL : CLAIMED);
  });
  expect(wrong.map(({ what }) => outcomes.get(what) ?? what)).toEqual([]);
}, 300_000);

test("F77: a release that contradicts itself is refused, in 100 MB of memory", async () => {
  const outcomes = [...(await outcomesOf("release")).values()];
  expect(outcomes.length).toBeGreaterThan(40);
  const wrong = outcomes.filter(
    ({ said, rss, buffers }) => !/is damaged or not a Parquet file/.test(said) || Math.max(rss, buffers) > CLAIMED,
  );
  expect(wrong).toEqual([]);
}, 300_000);
