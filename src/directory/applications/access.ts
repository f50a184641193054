import { text } from "../../contract/text.ts";
import { type Db, queryRows } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import { type Access, includes, type Operator } from "../access.ts";
import type { DirectoryDeps } from "../deps.ts";
import { OPERATOR_HANDLE } from "../users.ts";
import { isPlainId, UNKNOWN_CLIENT } from "./applications.ts";

interface AccessChange {
  /** The operator's user id; null for the command line. */
  actorId: string | null;
  access: Access;
  /** `raise` never lowers the access, `lower` never raises it. */
  how?: "set" | "raise" | "lower";
  /** The access that the operator saw. If it has changed since, nothing is done. */
  ifAccess?: Access | undefined;
  why: string;
  /** Required to lower the access of the web app's own application. */
  isConfirmed?: boolean;
}

/**
 * Tokens, consents and secrets stay, so a stopped application can be enabled again. Throws KnownError 400 if the reason
 * is too long, 404 for an unknown application, 409 if the access has changed meanwhile, 409 `own_application`.
 */
export async function changeAccess(
  { prisma, operator }: Pick<DirectoryDeps, "prisma" | "operator">,
  clientId: string,
  { actorId, access: wanted, how = "set", ifAccess, why, isConfirmed = false }: AccessChange,
): Promise<{ before: Access; access: Access }> {
  if (!isPlainId(clientId)) throw notFound(UNKNOWN_CLIENT);
  const reason = cleanReason(why);
  return prisma.$transaction(async (tx) => {
    const [found] = await tx.$queryRaw<{ access: Access; owner: string }[]>`
      SELECT a.access, u.handle AS owner
        FROM directory.application a JOIN directory."user" u ON u.id = a.owner_id
       WHERE a.client_id = ${clientId} FOR NO KEY UPDATE OF a`;
    if (!found) throw notFound(UNKNOWN_CLIENT);
    const before = found.access;
    if (ifAccess !== undefined && ifAccess !== before) throw new KnownError(409, "param_error", changedBefore());
    const keeps = (how === "raise" && includes(before, wanted)) || (how === "lower" && includes(wanted, before));
    const access = keeps ? before : wanted;
    if (!includes(access, before) && !isConfirmed && isOwnApplication(operator, { clientId, owner: found.owner }))
      throw new KnownError(409, "own_application", ownApplication());
    await tx.application.update({ where: { clientId }, data: { access, requestedAt: null } });
    await tx.accessEvent.create({ data: { clientId, actorId, access, why: reason } });
    return { before, access };
  });
}

function cleanReason(why: string): string {
  const { data, error } = text("reason", 300).safeParse(why);
  if (data === undefined) throw badRequest(`${error?.issues[0]?.message}.`);
  return data;
}

const changedBefore = () =>
  t("Another operator has changed this in the meantime, so nothing was saved. Check the current state and try again.");
export const ownApplication = () =>
  t("This is the web app's own application. Without it, nobody can log in to the web app.");

export const isOwnApplication = (
  operator: Operator | undefined,
  { clientId, owner }: { clientId: string; owner: string },
): boolean => clientId === operator?.ownClient || owner === OPERATOR_HANDLE;

/** Throws KnownError 400 if the reason is too long, 409 if the application is enabled or has a pending request. */
export async function requestAccess(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  { actorId, why }: Pick<AccessChange, "actorId" | "why">,
): Promise<void> {
  const reason = cleanReason(why);
  await prisma.$transaction(async (tx) => {
    const asked = await tx.$executeRaw`
      UPDATE directory.application SET requested_at = now()
       WHERE client_id = ${clientId} AND access <> 'enabled' AND requested_at IS NULL`;
    if (asked === 0)
      throw new KnownError(
        409,
        "param_error",
        t("The application is already enabled, or you have already requested access."),
      );
    await tx.accessEvent.create({ data: { clientId, actorId, why: reason } });
  });
}

interface AccessEvent {
  /** A handle, or the id of a deleted user; null for the command line. */
  actor: string | null;
  /** The new access; null for an owner's request. */
  access: Access | null;
  why: string;
  createdAt: Date;
}

export async function accessHistory(db: Db, clientId: string): Promise<AccessEvent[]> {
  return queryRows<AccessEvent>(db)`
    SELECT coalesce(u.handle, e.actor_id) AS actor, e.access, e.why, e.created_at AS "createdAt"
      FROM directory.access_event e LEFT JOIN directory."user" u ON u.id = e.actor_id
     WHERE e.client_id = ${clientId} ORDER BY e.id DESC LIMIT 100`;
}

/** Counts calls by client id. Leaves out applications without a limit, whose calls are not counted. */
export async function callsThisHour(
  db: Db,
  applications: { clientId: string; rateLimit: number | null }[],
): Promise<Map<string, number>> {
  const counted = applications.filter(({ rateLimit }) => rateLimit !== 0).map(({ clientId }) => clientId);
  const rows = await queryRows<{ clientId: string; calls: number }>(db)`
    SELECT split_part(subject, ' ', 4) AS "clientId", sum(count)::int AS calls FROM directory.rate_count
     WHERE window_start > now() - interval '1 hour' AND split_part(subject, ' ', 4) = ANY(${counted}) GROUP BY 1`;
  return new Map([
    ...counted.map((id) => [id, 0] as const),
    ...rows.map(({ clientId, calls }) => [clientId, calls] as const),
  ]);
}
