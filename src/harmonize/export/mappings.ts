import { queryRows } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { badRequest } from "../../shared/errors.ts";
import type { Harmonizer } from "../run/deps.ts";
import { type Harmonization, listHarmonizations, type Person } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import { type Receipt, receiptOf } from "./receipt.ts";
import { type ExportRow, exportColumns } from "./rows.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

export interface Mapping extends Receipt {
  listingId: string;
  listingName: string;
  number: number;
  file: { id: string; name: string };
  /** A later edition of the file has another venue. */
  isSuperseded: boolean;
}

export interface LookUp {
  mappings: Mapping[];
  unknown: string[];
  /** More listings have these venues than MOST_OF_VENUES. */
  isCut: boolean;
}

export const MOST_IDS = 1000;
const LONGEST_ID = 500;
const MOST_OF_VENUES = 5000;

/** Throws KnownError 400 for more than MOST_IDS, or an id longer than LONGEST_ID. */
export function parseIds(text: string): string[] {
  const ids = text.split(/[\n\r,;\t]+/).map((id) => id.trim().replace(/^"(.*)"$/, "$1"));
  const given = [...new Set(ids.filter(Boolean))];
  if (given.length > MOST_IDS)
    throw badRequest(
      t("You entered {ids} ids. Look up at most {most} at once.", { ids: given.length, most: MOST_IDS }),
    );
  if (given.some((id) => id.length > LONGEST_ID))
    throw badRequest(t("An id may have at most {most} characters. Write one per line.", { most: LONGEST_ID }));
  return given;
}

/** Returns mappings in the order of `ids`: of the newest edition, then other venues of older ones as superseded. */
export async function lookUp(deps: Deps, person: Person, ids: string[]): Promise<LookUp> {
  const files = await listHarmonizations(deps, person);
  const ofVenues = await listingsOfVenues(deps, files, ids);
  const ownIds = ofVenues.flatMap(({ own_id }) => own_id ?? []);
  const rows = await loadRows(deps, files, [...new Set([...ids, ...ownIds])], ofVenues);
  const mappings = arranged(ids, rows, files);
  const known = new Set(
    mappings.flatMap(({ listingId, venueId, formerVenueId }) => [listingId, venueId, formerVenueId]),
  );
  const unknown = ids.filter((id) => !known.has(id));
  return { mappings, unknown, isCut: ofVenues.length === MOST_OF_VENUES };
}

interface Key {
  harmonization_id: string;
  number: number;
  own_id: string | null;
}

const listingsOfVenues = (db: Deps, files: Harmonization[], ids: string[]): Promise<Key[]> =>
  queryRows<Key>(db)`
    SELECT harmonization_id, number, own_id FROM app.listing l
     WHERE harmonization_id = ANY(${files.map(({ id }) => id)}::uuid[])
       AND (venue_id = ANY(${ids}::text[]) OR (venue_id IS NULL AND best_id = ANY(${ids}::text[])))
     ORDER BY harmonization_id DESC, number LIMIT ${MOST_OF_VENUES}`;

type Row = ExportRow & { harmonization_id: string; number: number; name: string | null };

function loadRows(db: Deps, files: Harmonization[], ownIds: string[], keys: Key[]): Promise<Row[]> {
  const nameless = keys.filter(({ own_id }) => own_id === null);
  const runs = nameless.map((key) => key.harmonization_id);
  const numbers = nameless.map((key) => key.number);
  return queryRows<Row & { account_id: string | null }>(db)`
    WITH keys AS MATERIALIZED (
      SELECT harmonization_id, number FROM app.listing
       WHERE harmonization_id = ANY(${files.map(({ id }) => id)}::uuid[]) AND own_id = ANY(${ownIds}::text[])
      UNION SELECT * FROM unnest(${runs}::uuid[], ${numbers}::int[]))
    SELECT l.*, ${NAME_OF} AS decided_by
      FROM (SELECT l.harmonization_id, l.query ->> 'name' AS name, ${exportColumns(false)}
              FROM keys JOIN app.listing l USING (harmonization_id, number)
              JOIN app.harmonization h ON h.id = harmonization_id) AS l
      LEFT JOIN app.account a ON a.id = l.account_id
     ORDER BY l.harmonization_id DESC, l.number`;
}

function arranged(ids: string[], rows: Row[], files: Harmonization[]): Mapping[] {
  const byId = new Map(files.map((file) => [file.id, file]));
  const groups = Map.groupBy(rows, (row) => {
    const { own_id, harmonization_id, number } = row;
    return own_id === null ? `${harmonization_id} ${number}` : `${firstEdition(byId, harmonization_id)} ${own_id}`;
  });
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ listingId, venueId, formerVenueId }: Mapping) =>
    Math.min(...[listingId, venueId, formerVenueId].map((id) => places.get(id) ?? Number.POSITIVE_INFINITY));
  const found = [...groups.values()].map((group) => editions(group, byId));
  return found
    .map((group) => ({ group, place: Math.min(...group.map(placeOf)) }))
    .filter(({ place }) => place < ids.length)
    .sort((a, b) => a.place - b.place)
    .flatMap(({ group }) => group);
}

/** Returns the newest edition's rows, and earlier ones only if their venue differs. */
function editions(group: Row[], files: Map<string, Harmonization>): Mapping[] {
  const age = ({ harmonization_id }: Row) => files.get(harmonization_id)?.createdAt.getTime() ?? 0;
  const sorted = group.toSorted((a, b) => age(b) - age(a) || a.number - b.number);
  const newest = sorted[0]?.harmonization_id;
  const all = sorted.flatMap((row) => toMapping(row, row.harmonization_id !== newest, files) ?? []);
  const now = new Set(all.filter(({ isSuperseded }) => !isSuperseded).map(({ venueId }) => venueId));
  return all.filter(({ isSuperseded, venueId }) => !isSuperseded || (venueId !== "" && !now.has(venueId)));
}

function toMapping(row: Row, isSuperseded: boolean, files: Map<string, Harmonization>): Mapping | undefined {
  const file = files.get(row.harmonization_id);
  if (!file) return undefined;
  const { number, own_id, name } = row;
  const receipt = receiptOf(row, file);
  const listing = { listingId: own_id ?? "", listingName: name ?? "", number };
  return { ...receipt, ...listing, file: { id: file.id, name: file.name }, isSuperseded };
}

/** Identifies all editions of a file by the first one. */
function firstEdition(files: Map<string, Harmonization>, id: string): string {
  const seen = new Set<string>();
  let first = id;
  for (;;) {
    const previous = files.get(first)?.previousId;
    if (!previous || !files.has(previous) || seen.has(first)) return first;
    seen.add(first);
    first = previous;
  }
}
