import type { VenueOutcome } from "../../../directory-client/venues.ts";
import { toCandidate } from "../../../harmonize/run/candidates.ts";
import type { Candidate } from "../../../harmonize/run/rows.ts";
import { t } from "../../../language/translate.ts";
import { within } from "../../../shared/within.ts";
import { openToken } from "../../base/connections.ts";
import type { Web } from "../../base/deps.ts";
import type { Member } from "../../base/members.ts";

/** A candidate as the directory has it now. */
export interface CandidateNow extends Candidate {
  /** What became of it since the listing was matched, in words. */
  since?: string | undefined;
  /** It cannot be accepted (attacks F79). */
  isGone?: true;
}

/** A card waits no longer: it then shows the candidates as they were when the listing was matched. */
const PATIENCE_MS = 1000;

/** Looks the candidates up in one call, at a directory that looks up many at once. Never throws. */
export async function candidatesNow(
  { directory, vault }: Pick<Web, "directory" | "vault">,
  { connection }: Member,
  candidates: readonly Candidate[],
): Promise<CandidateNow[]> {
  const token = openToken(vault, connection);
  const ids = candidates.map(({ id }) => id);
  if (token === undefined || ids.length === 0) return [...candidates];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const ask = async () => ((await directory.looksUpVenues()) ? directory.venues({ token }, ids, { signal }) : []);
  const outcomes = await within(ask(), PATIENCE_MS).catch(() => []);
  return candidates.map((candidate, at) => now(candidate, outcomes[at]));
}

function now(was: Candidate, outcome: VenueOutcome | undefined): CandidateNow {
  if (!outcome) return was;
  if ("error" in outcome)
    return outcome.error.kind === "not_found" ? { ...was, since: t("No longer in the directory"), isGone: true } : was;
  const found = toCandidate(outcome.venue);
  if (!found) return was;
  const { score: _score, evidence: _evidence, ...facts } = found;
  const since = becameOf(was, found, outcome.venue.closed ?? false);
  if (isSame(was, found)) return { ...was, since };
  // Without the evidence, which is about the former values.
  return { ...facts, id: was.id, ...(was.score !== undefined && { score: was.score }), since };
}

const FACTS = ["name", "address", "city", "state", "zip", "phone", "url", "category", "lat", "lng"] as const;

const isSame = (was: Candidate, is: Candidate): boolean => FACTS.every((fact) => was[fact] === is[fact]);

function becameOf(was: Candidate, is: Candidate, isClosed: boolean): string | undefined {
  if (isClosed) return t("Closed since then");
  if (was.id !== is.id) return t("Merged since then; was “{name}”", { name: was.name });
  return was.name.normalize() === is.name.normalize()
    ? undefined
    : t("Renamed since then; was “{name}”", { name: was.name });
}
