import type { FastifyReply, FastifyRequest } from "fastify";
import { valuesIn } from "../../../contract/correction-parameters.ts";
import { withoutInvisible } from "../../../contract/text.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import { t } from "../../../language/translate.ts";
import { collectProblem } from "../../duplicates/decide.ts";
import { acceptProposal, declineProposal, mergeNew } from "../../proposals/decide.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { noticeOf, textsIn, wayBack } from "./decision-form.ts";
import { PAGE_SIZE, PROPOSALS_PAGE } from "./proposals.ts";

const LONGEST_ANSWER = 300;

/**
 * `POST /operator/proposals`: `accept`, `decline` or `merge` one proposal by its id, or by `decision` all in `proposal`; with the `answer` to
 * the proposers. `seen-ID` has the values of the venue that were shown beside it. A new venue is merged into `into`, or the one in `into-ID`.
 */
export async function decideProposals(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { body } = request;
  const { ids, verb, into } = wantedIn(body);
  if (ids.length === 0)
    return goTo(reply, wayBack(body, PROPOSALS_PAGE), {
      kind: "warning",
      heading: t("Nothing was changed."),
      message: t("Select a proposal first."),
    });
  const answer = withoutInvisible(textField(body, "answer")).trim().slice(0, LONGEST_ANSWER);
  const problems: string[] = [];
  for (const id of ids) {
    const seen = valuesIn(textField(body, `seen-${id}`));
    const decided = { id, userId: user.id, answer, seen, into: into ?? textField(body, `into-${id}`) };
    await DECISIONS[verb](deps, decided).catch(collectProblem(problems));
  }
  request.log.info({ operator: user.id, proposals: ids, failed: problems.length }, "an operator decided proposals");
  const done = { done: ids.length - problems.length, problems };
  const told = noticeOf(done, { message: doneInWords(verb, done.done), of: ids.length });
  return goTo(reply, wayBack(body, PROPOSALS_PAGE), told);
}

type Verb = "accept" | "decline" | "merge";

const DECISIONS = { accept: acceptProposal, decline: declineProposal, merge: mergeNew };

function wantedIn(body: unknown): { ids: string[]; verb: Verb; into?: string | undefined } {
  for (const verb of ["accept", "decline", "merge"] as const) {
    const [id = "", into] = textField(body, verb).split(" ");
    if (id) return { ids: [id].filter(isId), verb, into };
  }
  const decision = textField(body, "decision");
  const verb = decision === "accept" || decision === "merge" ? decision : "decline";
  return { ids: textsIn(body, "proposal", PAGE_SIZE).filter(isId), verb };
}

function doneInWords(verb: Verb, count: number): string {
  if (verb === "accept") return t("{count, plural, one {# proposal} other {# proposals}} accepted.", { count });
  if (verb === "merge") return t("{count, plural, one {# new venue} other {# new venues}} merged.", { count });
  return t("{count, plural, one {# proposal} other {# proposals}} declined.", { count });
}

const isId = (text: string): boolean => /^\d{1,18}$/.test(text);
