import type { FoundVenues } from "../../directory-client/client.ts";

/** The share of the calls an hour that is kept for the searches that a person sends. */
const SHARE_KEPT = 1 / 10;
const FEWEST_KEPT = 10;
const PAUSE_SECONDS = 600;

export type SuggestPauses = ReturnType<typeof createSuggestPauses>;

/** Suggestions cost a person's calls of the directory, so they pause when few are left. Kept by this process only. */
export function createSuggestPauses() {
  const ends = new Map<string, number>();
  const now = () => performance.now() / 1000;
  const pauses = {
    /** Returns the seconds until suggestions may be asked for again; 0 without a pause. */
    secondsLeft: (accountId: string): number => Math.max(0, Math.ceil((ends.get(accountId) ?? 0) - now())),
    begin(accountId: string, seconds: number): void {
      for (const [id, end] of ends) if (end < now()) ends.delete(id);
      ends.set(accountId, now() + seconds);
    },
    /** Begins a pause if few calls are left after this search. */
    note(accountId: string, { calls }: Pick<FoundVenues, "calls">): void {
      if (calls && calls.left <= Math.max(calls.limit * SHARE_KEPT, FEWEST_KEPT))
        pauses.begin(accountId, PAUSE_SECONDS);
    },
  };
  return pauses;
}
