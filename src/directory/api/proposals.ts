import type { FastifyInstance } from "fastify";
import {
  MOST_OPEN_PROPOSALS,
  PROPOSE_PATH,
  type Proposal as ProposalOnWire,
  proposalResponse,
  proposalsParameters,
  proposalsResponse,
  proposeParameters,
  WITHDRAW_PATH,
  withdrawParameters,
} from "../../contract/proposals.ts";
import { badRequest } from "../../shared/errors.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { userEndpoint } from "../endpoint/endpoint.ts";
import { SAMPLE_PROPOSAL, WITHDRAWN_PROPOSAL } from "../endpoint/samples.ts";
import { findProposal, ownProposals, type Proposal } from "../proposals/list.ts";
import { propose, withdrawProposal } from "../proposals/propose.ts";
import { requireVenue, seenBy, VENUE_ID } from "../venues/find.ts";
import { epochSeconds } from "../venues/present.ts";
import { isOperators } from "./changes.ts";
import { sentValues } from "./common/sent-values.ts";
import { requireSelf } from "./common/users.ts";

/** POST /v2/venues/propose and /v2/venues/withdraw (ours; wire-format 6). */
export function registerProposals(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: PROPOSE_PATH,
    summary: "Proposes an edit of a venue, or reports a duplicate",
    description: DESCRIPTION,
    parameters: proposeParameters,
    response: proposalResponse,
    example: () => ({ proposal: SAMPLE_PROPOSAL }),
    filledIn: ["phone", "comment"],
    conflict: true,
    needs: "enabled",
    isOurs: true,
    async answer({ caller, parameters }) {
      const { duplicateOf, comment, was } = parameters;
      const wanted = sentValues(parameters);
      if ((duplicateOf === undefined) === (Object.keys(wanted).length === 0)) throw badRequest(EITHER);
      const sees = seenBy(caller);
      const { id } = await requireVenue(deps.pool, parameters.venueId, sees);
      const into = duplicateOf === undefined ? undefined : (await requireVenue(deps.pool, duplicateOf, sees)).id;
      const by = { ...caller, isOperator: await isOperators(deps, caller) };
      const proposed = await findProposal(deps.pool, await propose(deps, { id, wanted, was, into, comment }, by));
      return { proposal: shown(proposed as Proposal) };
    },
  });
  userEndpoint(app, deps, {
    methods: ["POST"],
    path: WITHDRAW_PATH,
    mayMiss: true,
    summary: "Takes a proposal back that no operator has decided yet",
    description:
      "A venue of the user that is `held` is deleted. Repeating the call answers the same. 409 if it was decided.",
    parameters: withdrawParameters,
    response: proposalResponse,
    example: () => ({ proposal: WITHDRAWN_PROPOSAL }),
    conflict: true,
    needs: "enabled",
    isOurs: true,
    async answer({ caller, parameters: { proposalId } }) {
      await withdrawProposal(deps, proposalId, caller);
      return { proposal: shown((await findProposal(deps.pool, proposalId)) as Proposal) };
    },
  });
}

/** GET /v2/users/self/proposals (ours; wire-format 6). */
export function registerOwnProposals(app: FastifyInstance, deps: ApiDeps): void {
  userEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/users/:id/proposals",
    summary: "The user's proposals, newest first, and what became of them",
    parameters: proposalsParameters,
    response: proposalsResponse,
    example: () => ({ proposals: { count: 1, items: [SAMPLE_PROPOSAL] } }),
    isOurs: true,
    async answer({ caller, parameters, id }) {
      requireSelf(caller, id);
      const { venueId } = parameters;
      if (venueId !== undefined && !VENUE_ID.test(venueId)) return { proposals: { count: 0, items: [] } };
      const { count, items } = await ownProposals(deps.pool, { ...parameters, userId: caller.userId });
      return { proposals: { count, items: items.map(shown) } };
    },
  });
}

const EITHER = "Send at least one value to change, or the name of one in empty, or else duplicateOf.";

const DESCRIPTION = `For every user. An operator of the directory accepts or declines it; users/self/proposals says what became of it. An
edit by an operator, or by a user who may use venues/edit, is made at once. Repeating an open proposal answers the same. 409 if the
venue has these values already, or others than \`was\`; and to a user with ${MOST_OPEN_PROPOSALS} open proposals.`;

function shown(proposal: Proposal): ProposalOnWire {
  const { id, venueId, intoId, isNew, state, wanted, comment, at, decidedAt, answer, changeId } = proposal;
  return {
    id,
    venueId,
    state,
    createdAt: epochSeconds(at),
    values: wanted,
    ...(intoId && { duplicateOf: intoId }),
    ...(isNew && { new: true }),
    ...(comment && { comment }),
    ...(decidedAt && { decidedAt: epochSeconds(decidedAt) }),
    ...(answer && { answer }),
    ...(changeId && { change: { id: changeId } }),
  };
}
