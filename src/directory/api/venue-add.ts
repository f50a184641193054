import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { addVenueCall } from "../../contract/parameters.ts";
import { venueResponse } from "../../contract/resources.ts";
import { KnownError } from "../../shared/errors.ts";
import { findCategory } from "../categories/tree.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { Call } from "../endpoint/declaration.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { once } from "../idempotency.ts";
import type { TokenPair } from "../tokens.ts";
import { insertVenue, lockPlace } from "../venues/add.ts";
import { duplicatesKey, isDuplicatesKey } from "../venues/duplicates.ts";
import { compactVenue, completeVenue } from "../venues/present.ts";
import { findMatches } from "../venues/search/match.ts";
import { presentationFor } from "./presentation.ts";

type AddCall = Call<z.output<typeof addVenueCall>, Caller & TokenPair>;

/** GET /v2/venues/add (interface), and POST, because sources differ on the method (wire-format 7). */
export function registerVenueAdd(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["GET", "POST"],
    path: "/v2/venues/add",
    summary: "Adds a venue, unless it seems to exist",
    parameters: addVenueCall,
    response: venueResponse,
    needs: "enabled",
    answer: (call) => addVenue(deps, call),
  });
}

async function addVenue(deps: ApiDeps, { caller, parameters, idempotencyKey }: AddCall) {
  if (!findCategory(parameters.primaryCategoryId))
    throw new KnownError(400, "param_error", "primaryCategoryId is not a category id. See venues/categories.");
  const scope = `${caller.clientId}/${caller.userId}`;
  // The force parameters are excluded: a call repeated without them is still the same add.
  const { ignoreDuplicates: _, ignoreDuplicatesKey: __, ...venue } = parameters;
  const call = ["venues/add", venue];
  return once(deps, { scope, key: idempotencyKey, call }, async (tx) => {
    await lockPlace(tx, parameters.ll);
    const now = new Date();
    if (!isForced(deps, caller, parameters, now)) await refuseDuplicates(deps, caller, parameters, now);
    const row = await insertVenue({ tx, pool: deps.pool }, parameters, caller);
    return { venue: completeVenue(row, await presentationFor(deps, caller, [], parameters.ll)) };
  });
}

function isForced({ vault }: ApiDeps, caller: TokenPair, parameters: AddCall["parameters"], now: Date): boolean {
  const { ignoreDuplicates, ignoreDuplicatesKey } = parameters;
  if (ignoreDuplicates !== "true" || ignoreDuplicatesKey === undefined) return false;
  return isDuplicatesKey(vault, caller, parameters, now, ignoreDuplicatesKey);
}

/** @throws KnownError 409 with the duplicates and the key that forces the add (wire-format 7) */
async function refuseDuplicates(deps: ApiDeps, caller: TokenPair, parameters: AddCall["parameters"], now: Date) {
  const { matches } = await findMatches(deps.pool, { ...parameters, ...parameters.ll });
  if (matches.length === 0) return;
  const duplicates = matches.slice(0, 10);
  const venues = duplicates.map(({ venue }) => venue);
  const presentation = await presentationFor(deps, caller, venues, parameters.ll);
  throw new KnownError(409, "other", `Found duplicates. ${howToInsist(parameters)}`, {
    title: "This venue seems to exist already.",
    response: {
      candidateDuplicateVenues: duplicates.map(({ venue, score, evidence }) => ({
        ...compactVenue(venue, presentation),
        score,
        evidence,
      })),
      ignoreDuplicatesKey: duplicatesKey(deps.vault, caller, parameters, now),
    },
  });
}

function howToInsist({ ignoreDuplicates, ignoreDuplicatesKey: key }: AddCall["parameters"]): string {
  const advice =
    "To add the venue anyway, repeat the call with ignoreDuplicates=true and the ignoreDuplicatesKey of this response.";
  if (key === undefined) return advice;
  if (ignoreDuplicates !== "true") return `ignoreDuplicatesKey works only with ignoreDuplicates=true. ${advice}`;
  return `This ignoreDuplicatesKey belongs to another call or has expired. ${advice}`;
}
