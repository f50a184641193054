import type { AddVenueParameters } from "../../contract/parameters.ts";
import type { Venue } from "../../contract/resources.ts";
import type { Db } from "../../db/sql.ts";
import type { FoundVenues } from "../../directory-client/client.ts";
import type { ListingId } from "../run/rows.ts";
import { type AddRow, addRow, claimAdd, clearAdd, commitAdd, countAgain, parkAdd } from "./rows.ts";
import { addKey, type BegunAdd } from "./rules.ts";

/** Records an add before it is sent, until its outcome is known. A record adds at most one venue. */
export interface AddRecord {
  keyOf(venue: AddVenueParameters): string;
  read(): Promise<AddRow>;
  /** Claims the record before the call. Fails if it is claimed or decided. */
  claim(add: Omit<BegunAdd, "since">, runner: string | undefined): Promise<boolean>;
  countAgain(key: string): Promise<boolean>;
  /** Ends an add that certainly made nothing. */
  clear(key: string): Promise<void>;
  commit(add: Pick<BegunAdd, "key" | "how" | "accountId">, venue: Venue): Promise<void>;
  /** Gives up an add whose outcome is unknown, for a person to review. */
  park(key: string, found: FoundVenues): Promise<void>;
}

export const listingRecord = (db: Db, listing: ListingId): AddRecord => ({
  keyOf: (venue) => addKey(listing, venue),
  read: () => addRow(db, listing),
  claim: (add, runner) => claimAdd(db, listing, add, runner),
  countAgain: (key) => countAgain(db, listing, key),
  clear: (key) => clearAdd(db, listing, key),
  commit: (add, venue) => commitAdd(db, listing, add, venue),
  park: (key, found) => parkAdd(db, listing, key, found),
});
