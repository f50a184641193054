import { mkdirSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { importRelease } from "../../../src/directory/import/release/import-release.ts";
import { findVenues } from "../../../src/directory/venues/find.ts";
import { importing } from "./importing.ts";

const { database, folder, write } = await importing();
const { pool } = database;

/** What an edition says of a venue: `into` names another of its family, which the list of merged ids leads it to. */
interface Said {
  is: "open" | "moved" | "closed" | "absent";
  into?: string;
}

const VENUES = ["a", "b", "c"];
const saidOf = (venue: string): Said[] => [
  ...(["open", "moved", "closed", "absent"] as const).map((is) => ({ is })),
  ...VENUES.filter((other) => other !== venue).flatMap((into) => [
    { is: "absent" as const, into },
    { is: "closed" as const, into },
  ]),
];

/** For each venue what the second and third edition say; of the first all are open. */
type Family = Record<string, [Said, Said]>;

const pairsOf = (venue: string) =>
  saidOf(venue).flatMap((second) => saidOf(venue).map((third) => [second, third] as [Said, Said]));
/** Every pair of sayings of each venue beside others of the other two, which differ from family to family. */
const FAMILIES: Family[] = VENUES.flatMap((venue, turn) =>
  pairsOf(venue).flatMap((own, at) =>
    [0, 1, 2, 3].map((more): Family => {
      const others = VENUES.filter((each) => each !== venue);
      const of = (other: string, step: number) => {
        const pairs = pairsOf(other);
        return pairs[(at * 7 + more * 23 + turn * 5 + step * 29) % pairs.length] as [Said, Said];
      };
      return { [venue]: own, ...Object.fromEntries(others.map((other, step) => [other, of(other, step + more)])) };
    }),
  ),
);
const idOf = (family: number, venue: string) => `${venue}${family}`;
const isOpen = ({ is }: Said) => is === "open" || is === "moved";

interface Led {
  ends: string[];
  isOpen: boolean;
}

/** Where a venue of a family leads after an edition: by the first or last merge told since it was open. A circle leads nowhere, and is forgotten. */
function expected(family: Family, venue: string, editions: number, counts: "first" | "last" = "first"): Led {
  const leads = new Map<string, string>();
  let ends = new Map<string, string | undefined>();
  for (let edition = 0; edition < editions; edition++) {
    const said = (of: string) => family[of]?.[edition] as Said;
    for (const each of VENUES) {
      if (isOpen(said(each))) leads.delete(each);
      else if (said(each).into !== undefined && (counts === "last" || !leads.has(each)))
        leads.set(each, said(each).into as string);
    }
    ends = new Map(VENUES.map((each) => [each, endOf(leads, each)]));
    for (const each of VENUES) if (ends.get(each) === undefined) leads.delete(each);
  }
  const end = ends.get(venue);
  const isOpenNow = end !== undefined && isOpen(family[end]?.[editions - 1] as Said);
  return { ends: end === undefined ? VENUES : [end], isOpen: isOpenNow };
}

function endOf(leads: ReadonlyMap<string, string>, venue: string): string | undefined {
  let end = venue;
  for (let step = 0; step <= VENUES.length; step++) {
    const next = leads.get(end);
    if (next === undefined) return end;
    end = next;
  }
  return undefined;
}

/**
 * A venue that was led through another, which then came back, may stay where it was led; and one that is to become another that leads
 * to it already, too.
 */
function alsoRight(family: Family, venue: string, editions: number): Led[] {
  if (editions < 2) return [];
  return expected(family, venue, editions - 1).ends.flatMap((end) => {
    const said = family[end]?.[editions - 1] as Said;
    const isAround = said.into !== undefined && expected(family, said.into, editions - 1).ends.includes(end);
    return [expected(family, end, editions), ...(isAround ? [{ ends: [end], isOpen: isOpen(said) }] : [])];
  });
}

/** Whether two editions say of a venue that it became another, not the same. */
const isTold = (family: Family, editions: number): boolean =>
  editions === 2 && VENUES.some((each) => new Set(family[each]?.flatMap(({ into }) => into ?? [])).size > 1);

async function importEdition(edition: number): Promise<void> {
  const rows = FAMILIES.flatMap((family, at) =>
    VENUES.flatMap((venue) => {
      const said: Said = edition === 0 ? { is: "open" } : (family[venue]?.[edition - 1] as Said);
      if (said.is === "absent") return [];
      const lat = said.is === "moved" ? 41 + edition : 41;
      return `('${idOf(at, venue)}', 'Cafe ${at}', ${lat}, -71, ${said.is === "closed" ? "'2026-11-01'" : "NULL"})`;
    }),
  );
  const file = path.join(folder, `dt=2026-0${edition + 1}`, "places.parquet");
  mkdirSync(path.dirname(file), { recursive: true });
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const columns = "fsq_place_id, name, latitude, longitude, date_closed";
  await connection.run(`COPY (SELECT *, NULL::varchar[] AS unresolved_flags, NULL::varchar[] AS fsq_category_labels,
    NULL::varchar AS address, NULL::varchar AS postcode, 'US' AS country, NULL::varchar AS tel, NULL::varchar AS website,
    NULL::varchar AS locality, NULL::varchar AS region, NULL::varchar AS post_town, NULL::varchar AS admin_region, NULL::varchar AS twitter
    FROM (VALUES ${rows.join(", ")}) AS t (${columns})) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  const merges = FAMILIES.flatMap((family, at) =>
    VENUES.flatMap((venue) => {
      const into = edition === 0 ? undefined : family[venue]?.[edition - 1]?.into;
      return into === undefined ? [] : `${idOf(at, venue)},${idOf(at, into)}\n`;
    }),
  );
  const merged = write(`merged-${edition}.csv`, `id,merged_into\n${merges.join("")}`);
  await importRelease({ ...database, path: file, extent: {}, replace: false, manyClosed: true, merged });
}

test("C81: of every order of closing, moving, merging and coming back over three editions each venue leads where it belongs, and none is lost", async () => {
  const wrong: unknown[] = [];
  for (let edition = 0; edition < 3; edition++) {
    await importEdition(edition);
    if (edition === 0) continue;
    const ids = FAMILIES.flatMap((_, at) => VENUES.map((venue) => idOf(at, venue)));
    const found = await findVenues(pool, ids);
    for (const [at, family] of FAMILIES.entries())
      for (const venue of VENUES) {
        const right = [expected(family, venue, edition), ...alsoRight(family, venue, edition)];
        if (right.some(({ ends }) => ends.length > 1) || isTold(family, edition))
          right.push(expected(family, venue, edition, "last"));
        const now = found.get(idOf(at, venue));
        const fits = ({ ends, isOpen }: Led) => ends.includes(now?.id.slice(0, 1) ?? "") && now?.isClosed !== isOpen;
        if (!right.some(fits)) wrong.push({ edition, venue, family, right, is: now && [now.id, now.isClosed] });
      }
  }
  expect(wrong.map((each) => JSON.stringify(each)).slice(0, 6)).toEqual([]);
});
