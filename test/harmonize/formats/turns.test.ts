import { expect, test } from "vitest";
import { openApart } from "../../../src/files/formats/apart.ts";
import { createTurns, inTurn } from "../../../src/files/formats/turns.ts";

test("F74: two files are read at once, one of a person; the others wait in turn, and for no longer than is said", async () => {
  const inLine = createTurns({ all: 2, each: 1, patienceMs: 10_000 });
  const { signal } = new AbortController();
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const read = (name: string, by: AbortSignal = signal) =>
    inLine(name.charAt(0), by, async (turn) => {
      await turn();
      await turn(); // a file within a file has the same turn
      log.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const left = new AbortController();
  const all = [read("a1"), read("a2"), read("b1"), read("c1", left.signal).catch(() => "left"), read("d1")];
  await expect.poll(() => log).toEqual(["a1", "b1"]);
  left.abort();
  ends.get("b1")?.();
  await expect.poll(() => log).toEqual(["a1", "b1", "d1"]);
  ends.get("a1")?.();
  await expect.poll(() => log).toEqual(["a1", "b1", "d1", "a2"]);
  for (const end of ends.values()) end();
  await expect(Promise.all(all)).resolves.toContain("left");
  for (let steps = 0; steps < 12; steps++) await leavesAsATurnEnds(steps);
  const impatient = createTurns({ all: 0, each: 1, patienceMs: 1 });
  await expect(impatient("a", signal, (turn) => turn())).rejects.toMatchObject({ status: 503 });
});

/** Somebody who waits leaves so many steps of the event loop's queue after a turn ends; whoever is behind has it, or gets it. */
async function leavesAsATurnEnds(steps: number): Promise<void> {
  const inLine = createTurns({ all: 1, each: 1, patienceMs: 10_000 });
  const [{ signal }, left, first] = [new AbortController(), new AbortController(), Promise.withResolvers<void>()];
  const readFirst = inLine("a", signal, async (turn) => {
    await turn();
    await first.promise;
  });
  const leaving = inLine("b", left.signal, (turn) => turn()).catch(() => {});
  const behind = ["c", "d"].map((person) => inLine(person, signal, (turn) => turn()));
  first.resolve();
  for (let step = 0; step < steps; step++) await null;
  left.abort(new Error("left"));
  await Promise.all([readFirst, leaving, ...behind]);
}

test("F74: a reading ends when the sender leaves", async () => {
  const gone = new AbortController();
  const line = Buffer.from(`{"a":"${"x".repeat(1015)}"}\n`.repeat(256));
  let reads = 0;
  const source = {
    size: 200 * line.length,
    async *bytes(start = 0, end = 0) {
      reads += 1;
      if (reads === 10) gone.abort(new Error("The sender left."));
      yield line.subarray(0, end - start);
    },
  };
  const work = { kind: "json", encoding: "utf-8", sheet: undefined, mostColumns: 500, mostRows: 1e6 } as const;
  const reading = inTurn("ann", gone.signal, async (turn) => {
    for await (const _ of (await openApart(source, work, await turn())).bytes);
  });
  await expect(reading).rejects.toThrow("The sender left.");
  expect(reads).toBe(10);
});
