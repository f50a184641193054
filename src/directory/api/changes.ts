import { KnownError } from "../../shared/errors.ts";
import { isOperator } from "../access.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import type { TokenPair } from "../tokens.ts";
import { requireVenue, seenByOperators } from "../venues/find.ts";
import { compactVenue } from "../venues/present.ts";
import { presentationFor } from "./common/presentation.ts";

export const OPERATORS_ONLY = "Only for operators of the directory, with an application of their own.";

export async function requireOperator(deps: ApiDeps, caller: TokenPair): Promise<void> {
  if (!(await isOperators(deps, caller))) throw new KnownError(403, "not_authorized", OPERATORS_ONLY);
}

/** Otherwise every application that an operator logs in to could change venues. */
export async function isOperators({ prisma, operator }: ApiDeps, { userId, clientId }: TokenPair): Promise<boolean> {
  const [user, application] = await Promise.all([
    prisma.user.findUnique({ where: { id: userId } }),
    prisma.application.findUnique({ where: { clientId }, include: { owner: true } }),
  ]);
  return user && application ? isOperator(operator, user) && isOperator(operator, application.owner) : false;
}

/** The answer to a change of a venue. */
export async function shownChange(deps: ApiDeps, caller: Caller & TokenPair, id: string, change: string) {
  const venue = await requireVenue(deps.pool, id, seenByOperators);
  return { venue: compactVenue(venue, await presentationFor(deps, caller, [venue])), change: { id: change } };
}
