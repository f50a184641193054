import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { hostileFiles } from "../../../bench/support/hostile-files.ts";
import { readRows } from "../../../src/files/formats/table.ts";
import { guessLayout } from "../../../src/files/guess/guess.ts";
import { inPieces } from "../../../src/harmonize/run/page-size.ts";
import { KnownError } from "../../../src/shared/errors.ts";
import { startFiles } from "./reader.ts";

const { uploadAndRead, listings } = await startFiles();

/** Half a megabyte of each. How long other work waits is measured by `npm run bench -- waits`, in all steps of a file. */
const files = Object.entries(hostileFiles(512 * 1024));
/** Looks at the clock until work gives way, and lines between two looks: if all bytes of a step are line ends. */
const [LOOKS, LINES] = [11, 16 * 1024];

/** Counts the turns of the event loop during `work`, by a clock that is a millisecond later at each look. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, ms, isOver] = [0, 0, false];
  const clock = vi.spyOn(performance, "now").mockImplementation(() => ms++);
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => {
    isOver = true;
    clock.mockRestore();
  });
  return turns;
}

function lineEnds(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === 10 || byte === 13) count += 1;
  return count;
}
const turnsFor = (bytes: Buffer) => Math.floor(lineEnds(bytes) / LINES / LOOKS);

test.each(files)("F28: other work has its turns while rows are read that arrive at once: %s", async (_, bytes) => {
  const format = { encoding: "utf-8", separator: ",", hasHeader: true } as const;
  const turns = await turnsDuring(async () => {
    for await (const _ of readRows(Readable.from([bytes]), format, ["id", "name", "lat", "lng", "phone"]));
  });
  expect(turns).toBeGreaterThanOrEqual(turnsFor(bytes));
});

test.each(files)("F28: other work has its turns while the columns of a file are guessed: %s", async (_, bytes) => {
  const begin = bytes.subarray(0, 1024 * 1024); // as much as is looked at
  const guess = () => guessLayout(begin, { isWhole: false, encoding: "utf-8", mostColumns: 500 });
  const expectRefusal = (error: unknown) => expect(error).toBeInstanceOf(KnownError);
  expect(await turnsDuring(() => guess().catch(expectRefusal))).toBeGreaterThanOrEqual(turnsFor(begin));
});

test("F28: pieces of wide rows let other work have its turns", async () => {
  const rows = Array.from({ length: 220 }, () => ({ cells: ["x".repeat(50_000)] }));
  const turns = await turnsDuring(async () => {
    for await (const piece of inPieces(rows)) expect(piece).toHaveLength(1);
  });
  expect(turns).toBeGreaterThanOrEqual(rows.length / LOOKS - 1);
});

test("W14: blank rows at the end of a spreadsheet's file are skipped and do not fail", async () => {
  const rows = '1,Joe,41.8,-71.4\n2,Ann,41.9,-71.5\n,,,\n"","","",""\n3,Bob,41.9,-71.5\n';
  const { id, listingCount } = await uploadAndRead(`id,name,lat,lng\n${rows}${",,,\r\n \t,,,\r\n".repeat(5000)}`);
  expect(listingCount).toBe(3);
  expect((await listings(id)).map(({ line, status }) => [line, status])).toEqual([
    [2, "pending"],
    [3, "pending"],
    [6, "pending"],
  ]);
});
