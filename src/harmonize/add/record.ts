import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import type { Deps } from "../run/long-task.ts";
import type { ListingId } from "../run/rows.ts";
import { type AddRow, addRow, claimAdd, clearAdd, commitAdd, countAgain, parkAdd } from "./rows.ts";
import { addKey, type BegunAdd } from "./rules.ts";

/** Where an add is written down before it is sent, until it is known what came of it. Each adds one venue at most. */
export interface AddRecord {
  /** The Idempotency-Key of an add of this venue. */
  keyOf(venue: AddVenueParameters): string;
  /** @throws KnownError 404 when there is nothing to add the venue for */
  read(): Promise<AddRow>;
  /** Takes it for an add, before anything is sent: one at a time, and none that is decided. */
  claim(add: Omit<BegunAdd, "since">, runner: string | undefined): Promise<boolean>;
  /** Counts that the add is sent once more. False when it has come to its end meanwhile. */
  countAgain(key: string): Promise<boolean>;
  /** Ends an add that surely has made nothing. */
  clear(key: string): Promise<void>;
  /** Writes down the venue. @throws KnownError 409 when it was decided otherwise meanwhile */
  commit(add: Pick<BegunAdd, "key" | "how" | "accountId">, venue: Venue): Promise<void>;
  /** Gives up an add of which nobody knows what came of it: a person looks, beside what there is now. */
  park(key: string, found: FoundVenues): Promise<void>;
}

/** A listing, which becomes the venue. */
export const listingRecord = (db: Pick<Deps, "prisma">, listing: ListingId): AddRecord => ({
  keyOf: (venue) => addKey(listing, venue),
  read: () => addRow(db, listing),
  claim: (add, runner) => claimAdd(db, listing, add, runner),
  countAgain: (key) => countAgain(db, listing, key),
  clear: (key) => clearAdd(db, listing, key),
  commit: (add, venue) => commitAdd(db, listing, add, venue),
  park: (key, found) => parkAdd(db, listing, key, found),
});
