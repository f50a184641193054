import type { Venue } from "../../../contract/resources.ts";
import type { Listing } from "../../../matching/prepare.ts";
import { badRequest } from "../../../shared/errors.ts";
import { findCategory } from "../../categories/tree.ts";
import type { Transaction } from "../../deps.ts";
import type { ApiDeps } from "../../endpoint/declaration.ts";
import { type Outcome, onceEach } from "../../idempotency.ts";
import { holdsVenuesOf, queueVenues } from "../../proposals/propose.ts";
import { insertVenues, lockPlaces } from "../../venues/add.ts";
import { deletedAmong } from "../../venues/find.ts";
import { heldOf } from "../../venues/held.ts";
import { completeVenue } from "../../venues/present.ts";
import { type Adder, type Adding, chooseNow, refusals, type Wanted, withDuplicates } from "./add-duplicates.ts";
import { presentationFor } from "./presentation.ts";
import type { Written } from "./write-each.ts";

type Added = { venue: Venue };

/**
 * Adds venues in one transaction, as if one after the other. Leaves out each that may be the same as one before it, which must be
 * in the directory before its duplicates are searched for.
 */
export function addEach(deps: ApiDeps, caller: Adder, calls: Written<Adding>[]) {
  const scope = `${caller.clientId}/${caller.userId}`;
  const add = async (tx: Transaction, due: number[]) => {
    const outcomes = new Map<number, Outcome<Added>>();
    const wanted: Wanted[] = [];
    for (const at of due) {
      const { parameters } = calls[at] as Written<Adding>;
      if (!findCategory(parameters.primaryCategoryId)) outcomes.set(at, { error: unknownCategory() });
      else wanted.push({ at, parameters, spot: spotOf(parameters) });
    }
    await lockPlaces(
      tx,
      wanted.map(({ parameters }) => parameters.ll),
    );
    const now = new Date();
    const isHeld = await holdsVenuesOf(deps, caller);
    // Not with those of others, which it would give away: an operator sees both, and merges them.
    const held = await heldOf(deps.pool, { ...caller, hasHeld: isHeld || caller.hasHeld });
    const { added, refused } = chooseNow(await withDuplicates(deps, caller, wanted, { now, held }));
    for (const [at, error] of await refusals(deps, caller, refused, now)) outcomes.set(at, { error });
    const rows = await insertVenues(
      { tx, pool: deps.pool, isHeld },
      added.map(({ parameters }) => parameters),
      caller,
    );
    if (isHeld) await queueVenues(tx, rows, caller);
    const presentation = await presentationFor(deps, caller, []);
    for (const [place, { at, parameters }] of added.entries()) {
      const row = rows[place];
      if (row) outcomes.set(at, { done: { venue: completeVenue(row, { ...presentation, from: parameters.ll }) } });
    }
    return outcomes;
  };
  return onceEach<Added>(deps, scope, calls.map(asKeyed), add, (added) => deletedIn(deps, added));
}

/** Those whose venue was deleted since: their calls add it again. */
async function deletedIn({ pool }: ApiDeps, added: Added[]): Promise<Set<Added>> {
  const deleted = await deletedAmong(
    pool,
    added.map(({ venue }) => venue.id),
  );
  return new Set(added.filter(({ venue }) => deleted.has(venue.id)));
}

// The force parameters are excluded: a call repeated without them is still the same add.
function asKeyed({ parameters, key }: Written<Adding & { idempotencyKey?: unknown }>) {
  const { ignoreDuplicates: _, ignoreDuplicatesKey: __, idempotencyKey: ___, ...venue } = parameters;
  return { key, call: ["venues/add", venue] };
}

const unknownCategory = () => badRequest("primaryCategoryId is not a category id. See venues/categories.");

const spotOf = ({ ll, positionByAddress, ...rest }: Adding): Listing => ({
  ...rest,
  ...ll,
  isByAddress: positionByAddress === "true",
});
