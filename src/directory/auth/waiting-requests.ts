import type { FastifyReply } from "fastify";
import { type Db, execute, prepared, queryRow, type Sql, sql } from "../../db/sql.ts";
import { sendDialog } from "../../http/pages/views.ts";
import { t } from "../../language/translate.ts";
import { randomId } from "../../shared/crypto.ts";
import { KnownError } from "../../shared/errors.ts";
import { type Access, isOperator, refuseStoppedOnPage } from "../access.ts";
import type { ShownApplication } from "../applications/applications.ts";
import type { DirectoryDeps } from "../deps.ts";
import { originOf } from "./answer.ts";
import type { AuthorizationRequest, Display } from "./authorization-request.ts";

/** `isOperators`: whether the application belongs to an operator of the directory. */
export type WaitingRequest = AuthorizationRequest & {
  id: string;
  application: string;
  owner: string;
  isOperators: boolean;
};

/** Stores the request for ten minutes. Decisions apply to the stored row, whatever the browser sends. */
export async function keepRequest(
  { pool, operator }: Pick<DirectoryDeps, "pool" | "operator">,
  request: AuthorizationRequest,
  { name, owner, ownerId }: ShownApplication,
): Promise<WaitingRequest> {
  const id = randomId();
  await execute(prepared(pool))`
    INSERT INTO directory.authorization_request
      (id, client_id, redirect_uri, response_type, state, code_challenge, display, always_prompt, fresh_login, expires_at)
    VALUES (${id}, ${request.clientId}, ${request.isWebConnect ? "" : request.redirectUri}, ${request.responseType},
      ${request.state}, ${request.codeChallenge}, ${request.display}, ${request.alwaysPrompt},
      ${request.freshLogin}, now() + interval '10 minutes')`;
  const isOperators = isOperator(operator, { id: ownerId, handle: owner });
  return { ...request, id, application: name, owner, isOperators };
}

const isWaiting = (id: string): Sql => sql`r.id = ${id} AND r.decided_at IS NULL AND r.expires_at > now()`;

type FoundRequest = Omit<WaitingRequest, "isOperators"> & { secondsLeft: number; access: Access; ownerId: string };

/** Returns undefined if it was answered or has expired. Throws KnownError 403 if its application has been stopped. */
export async function findRequest(
  { pool, operator }: Pick<DirectoryDeps, "pool" | "operator">,
  id: string,
): Promise<(WaitingRequest & { secondsLeft: number }) | undefined> {
  if (!isRequestId(id)) return undefined;
  const found = await queryRow<FoundRequest>(prepared(pool))`
    SELECT r.id, r.client_id AS "clientId", coalesce(nullif(r.redirect_uri, ''), a.redirect_uris[1]) AS "redirectUri",
           r.redirect_uri = '' AS "isWebConnect", r.response_type AS "responseType", r.state,
           r.code_challenge AS "codeChallenge", r.display, r.always_prompt AS "alwaysPrompt",
           r.fresh_login AS "freshLogin", a.name AS application, a.access, u.handle AS owner, u.id AS "ownerId",
           extract(epoch FROM r.expires_at - now())::float8 AS "secondsLeft"
      FROM directory.authorization_request r
      JOIN directory.application a USING (client_id) JOIN directory."user" u ON u.id = a.owner_id
     WHERE ${isWaiting(id)}`;
  if (!found) return undefined;
  refuseStoppedOnPage({ name: found.application, access: found.access }, operator);
  return { ...found, isOperators: isOperator(operator, { id: found.ownerId, handle: found.owner }) };
}

/** Marks the request as answered. If it returns false (answered or expired), issue nothing. */
export async function spendRequest(db: Db, id: string): Promise<boolean> {
  const count = await execute(prepared(db))`
    UPDATE directory.authorization_request r SET decided_at = now() WHERE ${isWaiting(id)}`;
  return count === 1;
}

export const requestIsOver = (): KnownError =>
  new KnownError(
    400,
    "invalid_request",
    t("It has already been answered, or it has expired after ten minutes. Go back to the application and start again."),
    { title: t("This request is over") },
  );

const isRequestId = (id: string) => /^[0-9a-f]{24}$/.test(id);

/**
 * With display=webpopup "the callback loads in the calling window, and the popup closes" (interface, rule 4), which
 * needs a page. Only browsers that report a page load (Sec-Fetch-Dest) get one; others get a redirect.
 */
export function sendBack(reply: FastifyReply, address: string, display: Display | null): FastifyReply {
  const showsPages = reply.request.headers["sec-fetch-dest"] === "document";
  if (display !== "webpopup" || !showsPages) return reply.redirect(address, 303);
  reply.header("referrer-policy", "no-referrer");
  const data = { title: t("Back to the application"), goesTo: address, origin: originOf(address), display };
  return sendDialog(reply, "directory/hand-over", data);
}
