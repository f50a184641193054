import { setTimeout as after } from "node:timers/promises";
import pg from "pg";
import { type HarmonizeSite, withHarmonizeSite } from "./harmonize-site.ts";
import { type ChosenListing, chooseListings } from "./listings.ts";
import { logIn, type Member } from "./member.ts";
import { samespot } from "./programs.ts";
import type { Scratch } from "./scratch.ts";
import { sizedDatabase, venuesOf } from "./sized.ts";

const PASSWORD = "a password of some length";

export interface MemberSite {
  site: HarmonizeSite;
  member: Member;
  database: pg.Pool;
  listings: ChosenListing[];
}

/** Runs `work` with a logged-in member of a site that has `venues` venues, and with at most `most` listings of these. */
export async function withMemberSite<R>(
  scratch: Scratch,
  { venues, most }: { venues: number; most: number },
  work: (bench: MemberSite) => Promise<R>,
): Promise<R> {
  const sized = await sizedDatabase(scratch, venues);
  await samespot(sized, ["user", "add", "--handle", "bench", "--password-stdin"], PASSWORD);
  const listings = await chooseListings(venuesOf(venues), venues, Math.min(most, venues));
  const database = new pg.Pool({ connectionString: sized.url, max: 2 });
  return withHarmonizeSite(sized, async (site) =>
    work({ site, database, listings, member: await logIn(site, "bench", PASSWORD) }),
  ).finally(() => database.end());
}

export async function stateOf({ database }: Pick<MemberSite, "database">, id: string): Promise<string> {
  const { rows } = await database.query("SELECT state::text FROM app.harmonization WHERE id = $1", [id]);
  return rows[0]?.state ?? "gone";
}

export async function until(isSo: () => Promise<boolean>, { mostMs = 1_800_000, everyMs = 500 } = {}): Promise<void> {
  const deadline = performance.now() + mostMs;
  while (!(await isSo()) && performance.now() < deadline) await after(everyMs);
}
