import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, takeNotice } from "../../../http/pages/forms.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { countGroups } from "../../duplicates/queue.ts";
import { countOpen, openProposals } from "../../proposals/list.ts";
import { DEMO_PAGE, sampleState } from "../../sample/remove.ts";
import type { AuthDeps, Own } from "../base/session.ts";
import { ALL_APPLICATIONS_PAGE } from "./applications.ts";
import { OPERATOR_PAGE } from "./decision-form.ts";
import { DUPLICATES_PAGE, shownGroups } from "./duplicates.ts";
import { PROPOSALS_PAGE, proposalCards } from "./proposals.ts";
import { VENUES_PAGE } from "./venues.ts";

/** How many of each kind are shown, oldest or surest first. */
const MOST_SHOWN = 5;

/** `GET /operator`: what waits for operators, to be decided right there, and the ways to everything else. */
export async function showOverview(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  return sendView(reply, "directory/operator/overview", {
    title: t("Operator"),
    user,
    areas: await areasOf(deps),
    proposals: await proposalCards(deps, await openProposals(deps.pool, { skip: 0, take: MOST_SHOWN }), new Date()),
    groups: await shownGroups(deps, { family: undefined, skip: 0, take: MOST_SHOWN }),
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: OPERATOR_PAGE,
  });
}

export interface Area {
  href: string;
  name: string;
  /** What operators do there. */
  what: string;
  /** What waits for them; undefined if nothing does. */
  waiting: string | undefined;
}

async function areasOf({ prisma, pool }: AuthDeps): Promise<Area[]> {
  const [open, groups, asking, sample] = await Promise.all([
    countOpen(pool),
    countGroups(pool),
    prisma.application.count({ where: { requestedAt: { not: null } } }),
    sampleState(pool),
  ]);
  const areas = [
    {
      href: PROPOSALS_PAGE,
      name: t("Proposals"),
      what: t("Edits and duplicates that users propose, and new venues that wait for approval."),
      waiting:
        open.proposals > 0
          ? t(
              "{count, plural, one {# waits} other {# wait}}{newVenues, plural, =0 {} one {, # of them a new venue} other {, # of them new venues}}",
              { count: open.proposals, newVenues: open.newVenues },
            )
          : undefined,
    },
    {
      href: DUPLICATES_PAGE,
      name: t("Duplicates"),
      what: t("Likely duplicates, to merge or keep apart."),
      waiting:
        groups > 0 ? t("{count, plural, one {# group waits} other {# groups wait}}", { count: groups }) : undefined,
    },
    {
      href: VENUES_PAGE,
      name: t("Venues"),
      what: t("Edit, move, close, reopen or merge a venue; see the last changes and revert them."),
      waiting: undefined,
    },
    {
      href: ALL_APPLICATIONS_PAGE,
      name: t("Applications"),
      what: t("All applications registered here: what each may do, how much it calls, and who asks for more."),
      waiting:
        asking > 0
          ? t("{count, plural, one {# asks for more access} other {# ask for more access}}", { count: asking })
          : undefined,
    },
  ];
  const isDemo = sample === "there" || sample === "going";
  const demo = {
    href: DEMO_PAGE,
    name: t("Demo data"),
    what: t("The sample venues and the demo account, and their removal."),
  };
  return isDemo ? [...areas, { ...demo, waiting: undefined }] : areas;
}
