import type { FastifyInstance } from "fastify";
import { editParameters, type Values, venueChanges } from "../../contract/correction-parameters.ts";
import { formatLl } from "../../contract/parameters.ts";
import { changeResponse } from "../../contract/resources.ts";
import { KnownError } from "../../shared/errors.ts";
import { editVenue } from "../corrections/edit.ts";
import { checkValues } from "../corrections/values.ts";
import type { ApiDeps } from "../endpoint/deps.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { requireVenue, seenBy } from "../venues/find.ts";
import { isOperators, shownChange } from "./changes.ts";

/** POST /v2/venues/edit (ours; wire-format 6). */
export function registerVenueEdit(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/venues/edit",
    summary: "Edits, moves, closes or reopens a venue",
    description: DESCRIPTION,
    parameters: editParameters,
    response: changeResponse,
    needs: "enabled",
    isOurs: true,
    async answer({ caller, parameters }) {
      const wanted = sentValues(parameters);
      if (Object.keys(wanted).length === 0) throw new KnownError(400, "param_error", NOTHING);
      const { id } = await requireVenue(deps.pool, parameters.venueId, seenBy(caller));
      const by = { ...caller, isOperator: await isOperators(deps, caller) };
      return shownChange(deps, caller, id, await editVenue(deps, { id, wanted, was: parameters.was }, by));
    },
  });
}

const NOTHING = "Send at least one value to change, or the name of one in empty.";

const DESCRIPTION = `Changes what is sent and leaves the rest. The rules are those of venues/add. For operators of the directory, with
an application of their own; and for the user and application that added the venue, within a day and while nobody else has used it, as with
venues/delete. Otherwise 403 or 409 says why. A later import keeps what was edited until the change is reverted.`;

/** Returns the values that a call sends, as they are stored. Throws KnownError 400 param_error. */
export function sentValues({
  empty = [],
  ...parameters
}: Record<string, unknown> & { empty?: string[] | undefined }): Values {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    name in venueChanges.shape && value !== undefined
      ? [[name, typeof value === "string" ? value : formatLl(value as { lat: number; lng: number })]]
      : [],
  );
  const { values, errors } = checkValues(Object.fromEntries([...given, ...empty.map((name) => [name, ""])]));
  if (values) return values;
  throw new KnownError(400, "param_error", `${Object.values(errors).join("; ")}.`);
}
