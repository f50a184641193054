import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { text, wholeNumber } from "../../../contract/parameters.ts";
import { csrfToken } from "../../../http/forms.ts";
import { takeNotice } from "../../../http/notice.ts";
import { checkParameters } from "../../../http/parameters.ts";
import { callsThisHour } from "../../application-access.ts";
import { type ListedApplication, lastUse, listApplications } from "../../applications.ts";
import type { ApplicationDeps } from "../applications/owned.ts";
import { relativeTime } from "../applications/words.ts";
import { operatorsOnly } from "./operators-only.ts";

export const OPERATOR_PAGE = "/operator/applications";

const PAGE_SIZE = 50;

/** Which part is shown; the whole list from its start where this cannot be understood. */
const wantedPart = z.object({ query: text("query", 100).default(""), page: wholeNumber("page", 1, 10_000).default(1) });

/** GET /operator/applications: all applications, requests first. */
export function registerOperatorApplications(app: FastifyInstance, deps: ApplicationDeps): void {
  app.get(
    OPERATOR_PAGE,
    operatorsOnly(deps, async ({ request, reply, user }) => {
      const { query, page } = checkParameters(wantedPart, request.query).value ?? { query: "", page: 1 };
      const part = { query, skip: (page - 1) * PAGE_SIZE, take: PAGE_SIZE + 1 };
      const found = await listApplications(deps, { ...part, isForOperator: true });
      const shown = found.slice(0, PAGE_SIZE);
      const calls = await callsThisHour(deps, shown);
      const now = new Date();
      const data = {
        title: "All applications",
        user,
        applications: shown.map((each) => applicationRow(each, calls.get(each.clientId), now)),
        query,
        pager: {
          newer: page > 1 ? addressOf(query, page - 1) : undefined,
          older: found.length > PAGE_SIZE ? addressOf(query, page + 1) : undefined,
        },
        notice: takeNotice(request),
        csrf: csrfToken(reply),
        path: OPERATOR_PAGE,
      };
      return reply.view("directory/operator/applications", data, { layout: "layout" });
    }),
  );
}

function applicationRow(application: ListedApplication, calls: number | undefined, now: Date) {
  const { clientId, name, owner, access, requestedAt, createdAt, accessEvents } = application;
  const shown = (at: Date) => ({ iso: at.toISOString(), text: relativeTime(at, now) });
  const used = lastUse(application);
  return {
    ...{ clientId, name, access },
    owner: owner.handle,
    isAsking: requestedAt !== null,
    made: shown(createdAt),
    used: used && shown(used),
    calls,
    note: accessEvents[0]?.why ?? "",
  };
}

function addressOf(query: string, page: number): string {
  const search = new URLSearchParams({ ...(query ? { query } : {}), ...(page > 1 ? { page: String(page) } : {}) });
  return search.size ? `${OPERATOR_PAGE}?${search}` : OPERATOR_PAGE;
}
