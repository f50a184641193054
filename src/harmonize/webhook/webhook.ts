import { randomBytes } from "node:crypto";
import type { WebhookEvent } from "../../db/generated/enums.ts";
import { type Db, execute, queryRow, queryRows, type Sql, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { badRequest } from "../../shared/errors.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import { NAME_OF } from "../run/lists.ts";
import { sendEarly } from "../run/queue.ts";

/** Binds a sealed secret to its row (attacks S03). */
export const webhookPlace = (listId: string): string => `app.webhook.secret:${listId}`;

/** Before the key in base64, as Standard Webhooks has it. */
export const SECRET_PREFIX = "whsec_";

/**
 * Why a try failed: the address is in a private network or on this machine, nobody answered in time, the answer was no 2xx, nobody owns the
 * list any more, or no key opens its secret.
 */
export type Failure = "address_refused" | "no_answer" | "answered" | "no_owner" | "no_secret";

type OfList = Pick<Harmonization, "listId">;

/**
 * SQL: whether an account `s` answers for the list of a webhook `w`. A list of the command line has no owner: all admins are, those of
 * their role and those that ADMINS names.
 */
const isOwner = ({ admins }: Pick<Harmonizer["webhooks"], "admins">): Sql => {
  const named = admins.map((name) => name.toLowerCase());
  return sql`(s.disabled_at IS NULL
    AND CASE WHEN EXISTS (SELECT FROM app.list_person p WHERE p.list_id = w.list_id AND p.role = 'owner')
        THEN EXISTS (SELECT FROM app.list_person p WHERE p.list_id = w.list_id AND p.account_id = s.id AND p.role = 'owner')
        ELSE s.role = 'admin' OR s.external_id = ANY (${[...admins]}::text[]) OR lower(s.handle) = ANY (${named}::text[]) END)`;
};

/** SQL: whether a webhook `w` has somebody to answer for it. It is the list's, so it goes on when who has set it leaves (attacks W181). */
export const hasOwner = (webhooks: Pick<Harmonizer["webhooks"], "admins">): Sql =>
  sql`EXISTS (SELECT FROM app.account s WHERE ${isOwner(webhooks)})`;

export interface Webhook {
  url: string;
  /** Empty if the account is deleted. */
  setBy: string;
  setAt: Date;
  /** Who has set it is disabled, or no longer an owner: another owner should look whose address it is. */
  hasLeft: boolean;
  /** It tells nothing: nobody owns the list. */
  hasEnded: boolean;
}

export const findWebhook = (
  { pool, webhooks }: Pick<Harmonizer, "pool" | "webhooks">,
  { listId }: OfList,
): Promise<Webhook | undefined> =>
  queryRow<Webhook>(pool)`
    SELECT w.url, coalesce(${NAME_OF}, '') AS "setBy", w.created_at AS "setAt", NOT ${hasOwner(webhooks)} AS "hasEnded",
           NOT EXISTS (SELECT FROM app.account s WHERE s.id = w.account_id AND ${isOwner(webhooks)}) AS "hasLeft"
      FROM app.webhook w LEFT JOIN app.account a ON a.id = w.account_id WHERE w.list_id = ${listId}`;

/**
 * Sets the webhook of a list, with a new secret, and sends a test. Returns the secret, which is kept sealed and not shown again.
 *
 * @throws KnownError 400 for an address that cannot be one
 */
export async function setWebhook(
  { pool, queue, webhooks }: Pick<Harmonizer, "pool" | "queue" | "webhooks">,
  { id, listId }: Pick<Harmonization, "id" | "listId">,
  { accountId, url }: { accountId: string; url: string },
): Promise<string> {
  const address = addressOf(url, webhooks.isHttpAllowed);
  const secret = SECRET_PREFIX + randomBytes(32).toString("base64");
  const sealed = webhooks.vault.seal(secret, webhookPlace(listId));
  await execute(pool)`
    WITH w AS (
      INSERT INTO app.webhook (list_id, account_id, url, secret) VALUES (${listId}, ${accountId}, ${address}, ${sealed})
      ON CONFLICT (list_id) DO UPDATE
        SET account_id = excluded.account_id, url = excluded.url, secret = excluded.secret, created_at = now()
      RETURNING list_id)
    INSERT INTO app.webhook_delivery (id, list_id, harmonization_id, event, about, next_at)
    SELECT gen_random_uuid(), list_id, ${id}::uuid, 'test', 'set', now() FROM w`;
  await sendEarly(queue, { kind: "webhook", harmonizationId: id });
  return secret;
}

const LONGEST = 1000;

function addressOf(text: string, isHttpAllowed: boolean): string {
  const url = URL.parse(text.trim());
  const isOfWeb = url?.protocol === "https:" || (isHttpAllowed && url?.protocol === "http:");
  if (!url || !isOfWeb || url.username || url.password || url.hash || url.href.length > LONGEST)
    throw badRequest(t("Write an address that begins with https://, without a password in it."));
  return url.href;
}

/** Takes the webhook with its deliveries from the list. Returns false if it had none. */
export const removeWebhook = async (db: Db, { listId }: OfList): Promise<boolean> =>
  (await execute(db)`DELETE FROM app.webhook WHERE list_id = ${listId}`) === 1;

export interface Delivery {
  id: string;
  event: WebhookEvent;
  about: string;
  file: { id: string; name: string };
  createdAt: Date;
  tries: number;
  triedAt: Date | null;
  /** Null once it has arrived or is given up. */
  nextAt: Date | null;
  deliveredAt: Date | null;
  answered: number | null;
  problem: Failure | null;
}

/** Deliveries that page and API show. */
export const MOST_DELIVERIES = 20;

/** The last deliveries of a list's webhook, the latest first. */
export const lastDeliveries = (db: Db, { listId }: OfList, most: number): Promise<Delivery[]> =>
  queryRows<Delivery>(db)`
    SELECT d.id, d.event, d.about, jsonb_build_object('id', h.id, 'name', h.name) AS file, d.created_at AS "createdAt", d.tries,
           d.tried_at AS "triedAt", d.next_at AS "nextAt", d.delivered_at AS "deliveredAt", d.answered, d.problem
      FROM app.webhook_delivery d JOIN app.harmonization h ON h.id = d.harmonization_id
     WHERE d.list_id = ${listId} ORDER BY d.created_at DESC, d.event DESC, d.id LIMIT ${most}`;

/** Sends a delivery once more, with its id. Returns false if the list has none of this id. */
export async function sendAgain(
  { pool, queue }: Pick<Harmonizer, "pool" | "queue">,
  { listId }: OfList,
  delivery: string,
): Promise<boolean> {
  const [again] = await queryRows<{ id: string }>(pool)`
    UPDATE app.webhook_delivery SET next_at = now(), tries = 0, delivered_at = NULL, answered = NULL, problem = NULL
     WHERE id = ${delivery} AND list_id = ${listId} RETURNING harmonization_id AS id`;
  if (again) await sendEarly(queue, { kind: "webhook", harmonizationId: again.id });
  return again !== undefined;
}
