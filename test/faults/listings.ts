import { MATCHED_VENUE, OUTCOME } from "../../src/harmonize/run/rows.ts";
import type { Site } from "./site.ts";

/** Listings of a file that the directory has, and that it does not have. */
const [KNOWN, NEW] = [20, 10];

type Database = Pick<Site["database"], "pool">;

/** Makes a file that no other round has, and chooses a category for its new venues. */
export async function fileOf({ pool }: Database, name: string): Promise<{ csv: string; categoryId: string }> {
  const { rows: known } = await pool.query(
    `SELECT id, name, lat, lng FROM directory.venue WHERE creator_id IS NULL AND name !~ '[",]'
      ORDER BY md5(id || $1) LIMIT ${KNOWN}`,
    [name],
  );
  const { rows: categories } = await pool.query(
    "SELECT id FROM directory.category WHERE parent_id IS NOT NULL ORDER BY id LIMIT 1",
  );
  const at = hash(name);
  const unknown = Array.from({ length: NEW }, (_, index) => ({
    id: `new ${index}`,
    name: newName(name, index),
    // Far from all venues and from each other.
    lat: -60 + ((at >>> 8) % 4000) / 100,
    lng: -170 + (at % 200) / 2 + index * 0.05,
  }));
  const lines = [...known, ...unknown].map((each) => [`${name}/${each.id}`, each.name, each.lat, each.lng].join());
  return { csv: `id,name,lat,lng\n${lines.join("\n")}\n`, categoryId: String(categories[0]?.id) };
}

const newName = (name: string, index: number) => `Place of ${name} number ${index}`;

export interface Verdict {
  /** Listings without their venue, or without a result of their annotation. */
  lost: number;
  /** New places with several venues or with another listing's venue, and duplicate rows. */
  doubled: number;
  /** Mappings without an annotation at the directory, and annotations without a mapping. */
  misnoted: number;
  /** The rows of lost listings, for analysis. */
  amiss: object[];
}

/** Checks every row of a completed file. */
export async function judge({ pool }: Database, id: string, name: string): Promise<Verdict> {
  const { rows: listings } = await pool.query<Judged>(
    `SELECT l.own_id AS "ownId", l.cells[2] AS name, l.decision::text, ${MATCHED_VENUE.text} AS venue, ${OUTCOME.text} AS outcome,
            l.annotated_at IS NOT NULL AND l.annotation_problem IS NULL AS "isNoted", l.adding IS NULL AS "isOver",
            l.status, l.problem, l.why, l.annotation_problem, l.adding
       FROM app.listing l JOIN app.harmonization h ON h.id = l.harmonization_id WHERE h.id = $1`,
    [id],
  );
  const names = Array.from({ length: NEW }, (_, index) => newName(name, index));
  const { rows: venues } = await pool.query("SELECT id, name FROM directory.venue WHERE name = ANY($1)", [names]);
  const { rows: links } = await pool.query(
    "SELECT linked_id AS id, venue_id AS venue FROM directory.link WHERE starts_with(linked_id, $1)",
    [`${name}/`],
  );
  const doubled = names.filter((each) => {
    const made = venues.filter((venue) => venue.name === each);
    const mapped = listings.filter((listing) => listing.name === each && listing.venue === made[0]?.id);
    return made.length > 1 || (made.length === 1 && mapped.length !== 1);
  });
  const mappings = listings.filter(({ outcome }) => outcome === "matched").map((each) => `${each.ownId} ${each.venue}`);
  const notes = links.map((link) => `${link.id} ${link.venue}`);
  const done = new Set(listings.filter((each) => isDone(each, name)).map(({ ownId }) => ownId));
  return {
    lost: KNOWN + NEW - done.size,
    doubled: doubled.length + Math.max(0, listings.length - KNOWN - NEW),
    misnoted: without(mappings, notes) + without(notes, mappings) + notes.length - new Set(notes).size,
    amiss: listings.filter(({ ownId }) => !done.has(ownId)),
  };
}

const without = (these: string[], those: string[]) => these.filter((each) => !those.includes(each)).length;

interface Judged {
  ownId: string;
  name: string;
  decision: string | null;
  venue: string | null;
  outcome: string;
  isNoted: boolean;
  isOver: boolean;
}

/** A known listing must have its own venue, whose id ends its own id, or be in review because another candidate ties. */
function isDone({ ownId, decision, venue, outcome, isNoted, isOver }: Judged, name: string): boolean {
  if (!isOver) return false;
  if (ownId.startsWith(`${name}/new `)) return decision === "added" && isNoted;
  return outcome === "review" || (outcome === "matched" && ownId === `${name}/${venue}` && isNoted);
}

const hash = (text: string) =>
  [...text].reduce((sum, each) => Math.imul(sum, 31) + (each.codePointAt(0) ?? 0), 7) >>> 0;
