import { createHmac } from "node:crypto";
import type { WebhookEvent } from "../../db/generated/enums.ts";
import { execute, queryRow } from "../../db/sql.ts";
import { callJson } from "../../directory-client/calls/call-json.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { exactCounts } from "../results/progress.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { type Failure, hasOwner, SECRET_PREFIX, webhookPlace } from "./webhook.ts";

/** Seconds before each further try: it is given up after some eight hours. */
export const BACK_OFF = [30, 300, 1800, 7200, 18_000];

type Deps = Pick<Harmonizer, "pool" | "webhooks">;

interface Claimed {
  id: string;
  event: WebhookEvent;
  about: string;
  body: string | null;
  createdAt: Date;
  url: string;
  secret: Buffer;
  hasOwner: boolean;
}

type End = { delivered: number } | { failure: Failure; answered?: number | undefined; isFinal?: boolean };

/** Sends what is due of a file's events, one after the other. Another worker sends again what this one died over: its id stays. */
export async function deliverDue(deps: Deps, h: Harmonization, { calls }: { calls: AbortSignal }): Promise<void> {
  while (!calls.aborted) {
    const claimed = await claim(deps, h);
    if (!claimed) return;
    const end = await deliver(deps, h, claimed, calls);
    if (end && !calls.aborted) await note(deps, claimed, end);
  }
}

/** Says at once when it is tried next, for the case that nobody notes how this try ends. */
const claim = ({ pool, webhooks }: Deps, { id }: Harmonization): Promise<Claimed | undefined> =>
  queryRow<Claimed>(pool)`
    UPDATE app.webhook_delivery d
       SET tries = d.tries + 1, tried_at = now(), next_at = now() + make_interval(secs => (${BACK_OFF}::int[])[d.tries + 1])
      FROM app.webhook w
     WHERE w.list_id = d.list_id AND d.id = (
       SELECT id FROM app.webhook_delivery WHERE harmonization_id = ${id} AND next_at <= now()
        ORDER BY created_at, event LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING d.id, d.event, d.about, d.body, d.created_at AS "createdAt", w.url, w.secret, ${hasOwner(webhooks)} AS "hasOwner"`;

/** Returns undefined if there is nothing to tell. */
async function deliver(deps: Deps, h: Harmonization, claimed: Claimed, calls: AbortSignal): Promise<End | undefined> {
  const { webhooks } = deps;
  if (!claimed.hasOwner) return { failure: "no_owner", isFinal: true };
  const secret = webhooks.vault.open(claimed.secret, webhookPlace(h.listId));
  if (secret === undefined) return { failure: "no_secret", isFinal: true };
  const body = claimed.body ?? (await compose(deps, h, claimed));
  if (body === undefined) return undefined;
  const headers = { ...signed(claimed.id, secret, body), "content-type": "application/json", "user-agent": "Samespot" };
  try {
    const call = { method: "POST", headers, json: body, maxBytes: 0, signal: calls } as const;
    const { status } = await callJson(webhooks.line, new URL(claimed.url), call);
    if (status >= 200 && status < 300) return { delivered: status };
    return { failure: "answered", answered: status, isFinal: status === GONE };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    if (error.errorType === "address_refused") return { failure: "address_refused" };
    return error.answered === undefined ? { failure: "no_answer" } : { failure: "answered", answered: error.answered };
  }
}

/** The receiver wants no more of it. */
const GONE = 410;

/** As Standard Webhooks says: the time is that of this try, the id that of the event. */
function signed(id: string, secret: string, body: string): Record<string, string> {
  const at = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
}

/** What is sent: no content of a row. It stays as it was at the first try; undefined, and deleted, if no row waits for a review. */
async function compose({ pool, webhooks }: Deps, h: Harmonization, claimed: Claimed): Promise<string | undefined> {
  const { id, event, about, createdAt } = claimed;
  const counts = await exactCounts({ pool }, h);
  if (event === "review" && counts.review === 0) {
    await execute(pool)`DELETE FROM app.webhook_delivery WHERE id = ${id}`;
    return undefined;
  }
  const data = {
    list: { id: h.listId, name: h.list.name },
    file: { id: h.id, name: h.name, state: h.state, rows: h.listingCount },
    [event === "failed" ? "reason" : "work"]: about,
    counts,
    links: {
      page: `${webhooks.appUrl}/harmonizations/${h.id}${event === "review" ? "/review" : ""}`,
      file: `${webhooks.appUrl}/api/v1/files/${h.id}`,
    },
  };
  const type = event === "test" ? "webhook.test" : `file.${event}`;
  const composed = JSON.stringify({ type, timestamp: createdAt.toISOString(), data });
  const kept = await queryRow<{ body: string }>(pool)`
    UPDATE app.webhook_delivery SET body = coalesce(body, ${composed}) WHERE id = ${id} RETURNING body`;
  return kept?.body;
}

async function note({ pool }: Deps, { id }: Claimed, end: End): Promise<void> {
  if ("delivered" in end)
    await execute(pool)`
      UPDATE app.webhook_delivery SET delivered_at = now(), next_at = NULL, answered = ${end.delivered}, problem = NULL WHERE id = ${id}`;
  else
    await execute(pool)`
      UPDATE app.webhook_delivery SET answered = ${end.answered ?? null}, problem = ${end.failure},
             next_at = CASE WHEN ${end.isFinal === true} THEN NULL ELSE next_at END
       WHERE id = ${id}`;
}
