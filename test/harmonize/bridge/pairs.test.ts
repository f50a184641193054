import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { missing, startBridges } from "./bridges.ts";

const bridges = await startBridges();
const { list, send, run, listings, outcomes, others } = bridges;

const silent = () => new DirectoryError("invalid_answer");

/** Venues that a row may name: what the directory says of each, and what becomes of such a row alone. */
const VENUES: Record<string, { other?: object; outcome?: string; now?: string }> = {
  open: { now: "open" },
  open2: { now: "open2" },
  merged: { other: { id: "open" }, now: "open" },
  merged2: { other: { id: "third" }, now: "third" },
  ring1: { other: { id: "ring2" }, now: "ring2" },
  ring2: { other: { id: "ring1" }, now: "ring1" },
  renamed: { other: { name: "VENUE OPEN!" }, now: "renamed" },
  closed: { other: { closed: true }, outcome: "closed" },
  shut: { other: { id: "third", closed: true }, outcome: "closed" },
  gone: { other: { error: missing() }, outcome: "unknown_venue" },
  odd: { other: { error: silent() }, outcome: "unanswered" },
  "": { outcome: "unreadable" },
};
const KINDS = Object.keys(VENUES);
const PAIRS = KINDS.flatMap((one) => KINDS.map((two) => [one, two] as const));

/** What docs/bridge-files.md says of two rows with one record. */
function expected([one, two]: readonly [string, string]): [outcomes: string[], venue: string | null] {
  const [first, second] = [VENUES[one] ?? {}, VENUES[two] ?? {}];
  if (first.now && second.now)
    return first.now === second.now
      ? [["decided", "repeated"], first.now]
      : [["several_venues", "several_venues"], null];
  return [[first.outcome ?? "decided", second.outcome ?? "decided"], first.now ?? second.now ?? null];
}

test("F48: every pair of rows for one record decides its listing once or says why not, and all is undone together", async () => {
  for (const [id, { other }] of Object.entries(VENUES)) if (other) others[id] = other;
  const h = await list(PAIRS.map((_, at) => ({ name: `Shop ${at}` })));
  const rows = PAIRS.flatMap(([one, two], at) => [`own-${at + 1},${one}`, `own-${at + 1},${two}`]);
  await send(h, `record_id,id\n${rows.join("\n")}\n`);
  await Promise.all([run(h), run(h)]); // two workers, if the first only seemed dead
  const found = await outcomes(h);
  const became = found.map((row) => row.split(" ").at(-1));
  const shown = PAIRS.map((pair, at) => [...pair, became.slice(2 * at, 2 * at + 2)]);
  expect(shown).toEqual(PAIRS.map((pair) => [...pair, expected(pair)[0]]));
  const decided = (await listings(h)).map(({ venueId }) => venueId);
  expect(decided).toEqual(PAIRS.map((pair) => expected(pair)[1]));
  const steps = await bridges.database.prisma.decisionStep.count({ where: { harmonizationId: h.id } });
  expect(steps).toBe(decided.filter((id) => id !== null).length);
  await bridges.undo(h);
  expect(new Set((await listings(h)).map(({ decision }) => decision))).toEqual(new Set([null]));
});
