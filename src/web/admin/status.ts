import type { FastifyReply, FastifyRequest } from "fastify";
import { queryRow } from "../../db/sql.ts";
import { wordsOf } from "../../harmonize/run/problems/words.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import type { Finding } from "../../shared/finding.ts";
import { ownVersion } from "../../shared/version.ts";
import { within } from "../../shared/within.ts";
import type { Web } from "../base/deps.ts";
import { type Instance, listInstances } from "../base/instances.ts";
import { type Member, sendAdminPage } from "../base/members.ts";
import { demoNote } from "../base/page.ts";
import { SESSION_LIMITS } from "../settings/own-sessions.ts";
import { runChecks } from "./checks.ts";
import { processInWords, workInWords } from "./work.ts";

const STATUS_PAGE = "/admin/status";

export const goToStatus = async (_web: Web, _request: FastifyRequest, reply: FastifyReply) =>
  reply.redirect(STATUS_PAGE, 303);

/** `/admin/status`: the page is shown whatever fails. */
export async function showStatus(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const [checks, instances, figures, work, demo, operatorHref] = await Promise.all([
    runChecks(web),
    within(listInstances(web.pool)).catch(() => []),
    within(countSessions(web)).catch(() => undefined),
    workInWords(web).catch(() => []),
    demoNote(web, member),
    operatorPage(web),
  ]);
  const all = [...checks, lookAtProxy(web, request)];
  return sendAdminPage(reply, member, STATUS_PAGE, "admin/status", {
    title: t("Status"),
    demo,
    operatorHref,
    version: ownVersion(),
    checks: all,
    problems: all.filter(({ state }) => state !== "ok").length + instances.filter(isStuck).length,
    instances: instances.map(instanceView),
    figures,
    work,
    process: await processInWords(),
  });
}

const operatorPage = ({ authHost }: Web): Promise<string | undefined> =>
  authHost.features().then(
    ({ operatorUrl }) => operatorUrl?.href,
    () => undefined,
  );

function lookAtProxy({ config }: Web, { headers, protocol, ip, socket }: FastifyRequest): Finding {
  const name = t("Proxy");
  const trusted = config.trustProxy?.join(", ");
  const isPassedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  if (!isPassedOn) {
    const words = trusted
      ? t("TRUST_PROXY names {trusted}, but this page came without a proxy.", { trusted })
      : t("No proxy in use, and none named in TRUST_PROXY.");
    return { name, state: "ok", words };
  }
  if (ip === socket.remoteAddress)
    return {
      name,
      state: "problem",
      words: t("This page came through {ip}, which TRUST_PROXY does not name.", { ip }),
    };
  const words = t("This page came over {protocol} for {ip}, through a proxy in TRUST_PROXY.", { protocol, ip });
  return { name, state: "ok", words };
}

export interface Figures {
  sessions: number;
  connections: number;
  broken: number;
}

async function countSessions({ pool, config }: Web): Promise<Figures | undefined> {
  return queryRow<Figures>(pool)`
    SELECT (SELECT count(*)::int FROM app.session WHERE account_id IS NOT NULL AND ended_at IS NULL AND expires_at > now()
               AND created_at > now() - make_interval(secs => ${SESSION_LIMITS.absoluteSeconds})) AS sessions,
           count(*) FILTER (WHERE c.broken_at IS NULL)::int AS connections,
           count(*) FILTER (WHERE c.broken_at IS NOT NULL)::int AS broken
      FROM app.connection c JOIN app.account a ON a.id = c.account_id WHERE a.directory = ${config.api.url}`;
}

const instanceView = ({ host, roles, problems, version, startedAt, seenAt, isGone }: Instance) => ({
  host,
  roles: roles.join(", "),
  version,
  startedAt: shownTime(startedAt),
  seenAt: shownTime(seenAt),
  isGone,
  problems: problems.map(wordsOf).join("; "),
});
export type InstanceView = ReturnType<typeof instanceView>;

const isStuck = ({ isGone, problems }: Instance): boolean => !isGone && problems.length > 0;
