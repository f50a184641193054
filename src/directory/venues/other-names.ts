import { venueName } from "../../contract/parameters.ts";
import { normalizeName } from "../../matching/normalize/normalize.ts";
import type { OtherName } from "../../matching/prepare.ts";

/** Names of a venue besides its own, and UTF-16 units of all, normalized: places of world renown have hundreds. */
const MOST_NAMES = 40;
const LONGEST = 1_000;

/** The most useful kinds first. */
const ORDER = ["common:en", "official", "alternate", "common", "short", "old", "brand"];

const rankOf = ({ kind }: OtherName): number => {
  const [base = ""] = kind.split(":");
  return Math.max(0, ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.indexOf(base));
};

/**
 * Returns the names as they are stored, the most useful first: each once, none that is the venue's own but for spelling, none that
 * cannot be a name; null without.
 */
export function otherNamesOf(name: string, given: readonly OtherName[]): OtherName[] | null {
  if (given.length === 0) return null; // as most venues, whose name is then not normalized once more
  const seen = new Set([normalizeName(name)]);
  const kept: OtherName[] = [];
  let length = 0;
  for (const each of given.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const { success, data } = venueName.safeParse(each.name);
    const normalized = success ? normalizeName(data) : "";
    if (!success || normalized === "" || seen.has(normalized)) continue;
    seen.add(normalized);
    length += normalized.length + 1;
    if (kept.length === MOST_NAMES || length > LONGEST) break;
    kept.push({ kind: each.kind, name: data, ...(each.merged && { merged: true }) });
  }
  return kept.length > 0 ? kept : null;
}

/** For people: a few, the most useful first. */
export const alsoKnownAs = (names: readonly OtherName[] | null): string[] =>
  (names ?? []).slice(0, MOST_SHOWN).map(({ name }) => name);

const MOST_SHOWN = 6;

/** For the index (`venue.other_names_norm`). */
export const otherNamesNorm = (names: readonly OtherName[] | null | undefined): string | null =>
  names?.map(({ name }) => normalizeName(name)).join("|") || null;
