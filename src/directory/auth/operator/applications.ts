import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { wholeNumber } from "../../../contract/parameters.ts";
import { text } from "../../../contract/text.ts";
import { csrfToken } from "../../../http/pages/forms.ts";
import { takeNotice } from "../../../http/pages/notice.ts";
import { sendView } from "../../../http/pages/views.ts";
import { checkParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import { callsThisHour } from "../../applications/access.ts";
import { type ListedApplication, lastUse, listApplications } from "../../applications/applications.ts";
import { demoNote } from "../../sample/page.ts";
import type { ApplicationDeps } from "../applications/owned.ts";
import { shownTime } from "../applications/words.ts";
import type { Own } from "../session/guards.ts";

export const ALL_APPLICATIONS_PAGE = "/operator/applications";

const PAGE_SIZE = 50;

/** Defaults to the first page if the parameters are invalid. */
const wantedPart = z.object({ query: text("query", 100).default(""), page: wholeNumber("page", 1, 10_000).default(1) });

export async function listAll(deps: ApplicationDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const { query, page } = checkParameters(wantedPart, request.query).value ?? { query: "", page: 1 };
  const part = { query, skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE + 1 };
  const found = await listApplications(deps, { ...part, isForOperator: true });
  const shown = found.slice(0, PAGE_SIZE);
  const calls = await callsThisHour(deps, shown);
  const now = new Date();
  return sendView(reply, "directory/operator/applications", {
    title: t("All applications"),
    user,
    demo: await demoNote(deps, user),
    applications: shown.map((each) => applicationRow(each, calls.get(each.clientId), now)),
    query,
    pager: {
      newer: page > 1 ? addressOf(query, page - 1) : undefined,
      older: found.length > PAGE_SIZE ? addressOf(query, page + 1) : undefined,
    },
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: ALL_APPLICATIONS_PAGE,
  });
}

function applicationRow(application: ListedApplication, calls: number | undefined, now: Date) {
  const { clientId, name, owner, access, requestedAt, createdAt, accessEvents } = application;
  const used = lastUse(application);
  return {
    ...{ clientId, name, access },
    owner: owner.handle,
    isAsking: requestedAt !== null,
    made: shownTime(createdAt, now),
    used: used && shownTime(used, now),
    calls,
    note: accessEvents[0]?.why ?? "",
  };
}
export type ApplicationRow = ReturnType<typeof applicationRow>;

function addressOf(query: string, page: number): string {
  const search = new URLSearchParams({ ...(query ? { query } : {}), ...(page > 1 ? { page: String(page) } : {}) });
  return search.size ? `${ALL_APPLICATIONS_PAGE}?${search}` : ALL_APPLICATIONS_PAGE;
}
