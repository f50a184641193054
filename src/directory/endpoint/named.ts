import { KnownError, notFound } from "../../shared/errors.ts";
import type { ApiDeps } from "./deps.ts";

/**
 * What to answer at the path of a venue whose id is unknown: `otherwise`, unless the id is a word of letters, as the names of endpoints that this
 * directory does not have (venues/explore), or only for other methods (wire-format 3).
 */
export function ifNoEndpoint(deps: ApiDeps, id: string, otherwise: unknown): unknown {
  if (!/^[a-z]{3,23}$/i.test(id)) return otherwise;
  const path = `/v2/venues/${id}`;
  return ofOtherMethods(deps, path) ?? notFound(`There is no endpoint ${path}, and no venue with this id.`);
}

/** HEAD of an endpoint that has none would be taken for HEAD of an id: of venues/add, for that of venues/ID. */
export function refuseHeadOfNamed(deps: ApiDeps, pattern: string, id: string): void {
  const refusal = pattern.endsWith(":id") && ofOtherMethods(deps, pattern.replace(":id", id));
  if (refusal) throw refusal;
}

function ofOtherMethods({ endpoints }: ApiDeps, path: string): KnownError | undefined {
  const named = endpoints.find((endpoint) => endpoint.path.toLowerCase() === path.toLowerCase());
  if (!named) return undefined;
  const allow = named.methods.join(", ");
  return new KnownError(405, "other", `This address supports only ${allow}.`, { headers: { allow } });
}
