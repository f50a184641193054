import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { Change } from "../../../src/harmonize/changes/changes.ts";
import { lookStateOf, wantLook } from "../../../src/harmonize/changes/changes.ts";
import { lookForChanges } from "../../../src/harmonize/changes/look.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { roundsOf } from "../../support/rounds.ts";
import { missing, startBridges } from "../bridge/bridges.ts";
import { makeCandidate } from "../rows.ts";

const bridges = await startBridges();
const { list, others, deps } = bridges;

interface Answer {
  id?: string;
  name?: string;
  /** Metres to the north of where the venue was matched. */
  north?: number;
  closed?: boolean;
  error?: "gone" | "silent";
}

/** What the directory may answer for a venue, as a function of its id. */
const ANSWERS: Record<string, (id: string) => Answer> = {
  open: () => ({}),
  closed: () => ({ closed: true }),
  gone: () => ({ error: "gone" }),
  silent: () => ({ error: "silent" }),
  merged: (id) => ({ id: `${id}-a` }),
  "merged twice": (id) => ({ id: `${id}-b` }),
  "merged and closed": (id) => ({ id: `${id}-a`, closed: true }),
  "merged in a ring": (id) => ({ id: PARTNERS.get(id) ?? "" }),
  "other case": (id) => ({ name: nameOf(id).toUpperCase() }),
  "other signs": (id) => ({ name: `${nameOf(id)}!` }),
  "other encoding": (id) => ({ name: nameOf(id).normalize("NFD") }),
  "below the limit": () => ({ north: 19.4 }),
  "above the limit": () => ({ north: 20.6 }),
};

const nameOf = (id: string) => `Café ${id}`;
const KINDS = Object.keys(ANSWERS);
/** Every one of three; in `npm test` a fifth of them, in which every two follow each other at the beginning and at the end. */
const SEQUENCES = KINDS.flatMap((one, i) =>
  KINDS.flatMap((two, j) =>
    KINDS.filter((_, k) => (i + j + k) % roundsOf(1, 5) === 0).map((three) => [one, two, three] as const),
  ),
);
const idOf = (sequence: readonly string[]) => sequence.map((kind) => KINDS.indexOf(kind)).join("-");
/** Two venues that the directory says were merged into each other. */
const PARTNERS = new Map(SEQUENCES.map((each) => [idOf(each), idOf(each.toReversed())]));

const METRES_PER_DEGREE = 111_195;

/** What a person would say of two answers in turn, without the code. `before.north` is where the venue was last told to be. */
function expected(id: string, before: Required<Omit<Answer, "error">> & { isGone: boolean }, now: Answer): Change {
  if (now.error === "silent") return "unanswered";
  if (now.error === "gone") return before.isGone ? "unchanged" : "gone";
  const nowId = now.id ?? id;
  if (nowId !== before.id && nowId !== id) return "merged";
  const wasThere = nowId === before.id && !before.isGone;
  if (now.closed) return wasThere && before.closed ? "unchanged" : "closed";
  if (!wasThere || before.closed) return "reopened";
  if (Math.abs((now.north ?? 0) - before.north) >= 20) return "moved";
  const name = now.name ?? nameOf(id);
  return name.normalize("NFC") === before.name.normalize("NFC") ? "unchanged" : "renamed";
}

function answer(id: string, { error, north = 0, ...given }: Answer): void {
  const location = { lat: 41.82 + north / METRES_PER_DEGREE, lng: -71.41 };
  const errors = { gone: missing(), silent: new DirectoryError("invalid_answer") };
  others[id] = error ? { error: errors[error] } : { name: nameOf(id), location, ...given };
}

async function look(h: Harmonization): Promise<Map<string, string | null>> {
  const { signal } = new AbortController();
  await wantLook(deps, h);
  await lookForChanges(deps, h, { signal, calls: signal });
  expect((await lookStateOf(deps, h))?.isAtWork).toBe(false);
  const { rows } = await deps.pool.query<{ id: string; change: string }>(
    "SELECT venue_id AS id, change FROM app.venue_look WHERE harmonization_id = $1",
    [h.id],
  );
  return new Map(rows.map(({ id, change }) => [id, change]));
}

test("F49: three looks at venues in every sequence of states say what has changed each time, and the mapping follows", async () => {
  const h = await list(
    SEQUENCES.map((sequence) => {
      const id = idOf(sequence);
      const candidate = { ...makeCandidate(id, 0.95), name: nameOf(id) };
      return { name: id, candidates: [candidate], more: { isClear: true } };
    }),
  );
  const known = new Map(
    SEQUENCES.map((each) => {
      const id = idOf(each);
      return [id, { id, name: nameOf(id), north: 0, closed: false, isGone: false }];
    }),
  );
  for (const turn of [0, 1, 2]) {
    const wanted = new Map<string, string>();
    for (const sequence of SEQUENCES) {
      const id = idOf(sequence);
      const now = ANSWERS[sequence[turn] ?? ""]?.(id) ?? {};
      const before = known.get(id);
      if (!before) throw new Error(id);
      answer(id, now);
      const change = expected(id, before, now);
      wanted.set(id, change);
      const isTold = ["moved", "merged", "reopened", "closed"].includes(change);
      const north = isTold ? (now.north ?? 0) : before.north;
      if (now.error === "gone") before.isGone = true;
      if (!now.error)
        known.set(id, { ...{ id, name: nameOf(id), closed: false }, ...now, north, isGone: false } as typeof before);
    }
    const found = await look(h);
    const wrong = SEQUENCES.map((each) => [...each.slice(0, turn + 1), found.get(idOf(each)), wanted.get(idOf(each))]);
    expect(wrong.filter((each) => each.at(-1) !== each.at(-2))).toEqual([]);
  }
  const mapping: Record<string, string>[] = parse(await bridges.exported(h, "mapping-csv"), {
    columns: true,
    bom: true,
  });
  expect(mapping).toHaveLength(SEQUENCES.length);
  const followed = mapping.map((row) => [row.venue_id, row.former_venue_id, row.venue_state]);
  expect(followed).toEqual(
    SEQUENCES.map((each) => {
      const id = idOf(each);
      const { id: nowId, closed, isGone } = known.get(id) ?? { id: "", closed: false, isGone: false };
      return [nowId, nowId === id ? "" : id, isGone ? "gone" : closed ? "closed" : ""];
    }),
  );
  const again = new Set((await look(h)).values());
  expect(again).toEqual(new Set(["unchanged", "unanswered"]));
});

test("F49: a venue that moves 15 m with each look is told to have moved as soon as it is 20 m from where it was last told to be", async () => {
  const candidate = { ...makeCandidate("drifting", 0.95), name: nameOf("drifting") };
  const h = await list([{ name: "drifting", candidates: [candidate], more: { isClear: true } }]);
  const told: (string | null | undefined)[] = [];
  for (const north of [15, 30, 45, 60, 60]) {
    answer("drifting", { north });
    told.push((await look(h)).get("drifting"));
  }
  expect(told).toEqual(["unchanged", "moved", "unchanged", "moved", "unchanged"]);
});
