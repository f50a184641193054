import type { Values } from "../contract/correction-parameters.ts";
import { type Proposal, proposalResponse, proposalsResponse } from "../contract/proposals.ts";
import type { Auth } from "./calls/answers.ts";
import type { Call, Parameters } from "./calls/call-directory.ts";

export interface Proposing {
  venueId: string;
  /** "" takes a value away. */
  wanted: Values;
  /** What the proposal is based on. */
  was: Values;
  /** "" if it is no report of a duplicate. */
  duplicateOf: string;
  comment: string;
}

export interface ProposalCalls {
  /** wire-format 6. Repeating an open proposal has no effect. Throws `rejected` with the reason. */
  propose(auth: Auth, proposal: Proposing): Promise<Proposal>;
  /** The user's proposals, newest first, and how many there are; with `venueId` those for a venue. */
  proposals(
    auth: Auth,
    page: { venueId?: string; limit?: number; offset?: number },
  ): Promise<{ count: number; items: Proposal[] }>;
  /** Takes an open proposal back. Throws `rejected` or `not_found` with the reason. */
  withdraw(auth: Auth, proposalId: string): Promise<Proposal>;
}

export const proposalCalls = (call: Call): ProposalCalls => ({
  propose: async (auth, proposing) =>
    (await call(proposalResponse, "venues/propose", auth, proposalParameters(proposing), { method: "POST" })).proposal,
  proposals: async (auth, page) => (await call(proposalsResponse, "users/self/proposals", auth, page)).proposals,
  withdraw: async (auth, proposalId) =>
    (await call(proposalResponse, "venues/withdraw", auth, { proposalId }, { method: "POST" })).proposal,
});

/** Returns the parameters of venues/propose. Of `was` sends the former values of what is wanted. */
function proposalParameters({ wanted, was, ...rest }: Proposing): Parameters {
  const names = Object.keys(wanted) as (keyof Values)[];
  const empty = names.filter((name) => wanted[name] === "").join(",");
  const former =
    names.length > 0 ? JSON.stringify(Object.fromEntries(names.map((name) => [name, was[name] ?? ""]))) : "";
  return { ...wanted, empty, was: former, ...rest };
}
