import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { deleteParameters } from "../../contract/correction-parameters.ts";
import { MOST_WRITTEN_LINES } from "../../contract/parameters.ts";
import { otherVenueResponse } from "../../contract/resources.ts";
import { STARBUCKS } from "../../contract/sample-ids.ts";
import { deleteVenues } from "../corrections/delete.ts";
import type { Caller } from "../endpoint/credentials.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { OTHER_VENUE } from "../endpoint/samples.ts";
import type { TokenPair } from "../tokens.ts";
import { type Written, writeOne, writtenByLine } from "./common/write-each.ts";

type Deletion = z.output<typeof deleteParameters>;

/** POST /v2/venues/delete (ours; wire-format 7). */
export function registerVenueDelete(app: FastifyInstance, deps: ApiDeps): void {
  const writing = {
    async write(caller: Caller & TokenPair, calls: Written<Deletion>[]) {
      const ids = calls.map(({ parameters }) => parameters.venueId);
      const outcomes = await deleteVenues(deps, ids, caller);
      return outcomes.map((each) => ("done" in each ? { done: { venue: each.done } } : each));
    },
    namesOf: ({ parameters }: Written<Deletion>) => [parameters.venueId],
  };
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: "/v2/venues/delete",
    summary: "Deletes a venue that the user has just added",
    description: OF_LINES_DELETED,
    parameters: deleteParameters,
    response: otherVenueResponse,
    example: () => OTHER_VENUE,
    conflict: true,
    needs: "enabled",
    isOurs: true,
    answer: ({ caller, parameters }) => writeOne(writing, caller, { parameters, key: undefined }),
    lines: { ...writtenByLine(deps, deleteParameters, writing), example: [{ venueId: STARBUCKS }] },
  });
}

const OF_LINES_DELETED = `Undoes an add of the same user and application, within a day and while nobody else has used the venue: no
check-in, no link of others, no change by others. Otherwise 403 or 409 says why. The application's own links go with it. Its id then
answers that the venue was deleted. Repeating a deletion answers the same. With \`Content-Type: application/x-ndjson\` and the
credentials in the query, each line of the body is a call, up to ${MOST_WRITTEN_LINES}: \`{"venueId":"…"}\`. Each line of the answer is the
response for it. Each line counts as one call.`;
