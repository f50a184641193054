import type { FastifyRequest } from "fastify";
import type { Pool } from "pg";
import { t } from "../../language/translate.ts";
import { ago, momentOf } from "../pages/times.ts";
import { browserInWords } from "./browser-name.ts";
import { publicIdOf, type SessionLimits, type SessionTable, sessionsOf } from "./session-store.ts";

interface Owned {
  pool: Pool;
  table: SessionTable;
  owner: string;
  limits: SessionLimits;
}

/** The current session comes first. */
export async function ownSessions({ session }: FastifyRequest, { pool, table, owner, limits }: Owned) {
  const sessions = await sessionsOf(pool, table, owner, limits);
  const current = publicIdOf(session.sessionId);
  return sessions
    .map(({ publicId, browser, signedInAt, lastUsedAt }) => ({
      publicId,
      browser: browser === undefined ? t("Unknown browser") : browserInWords(browser),
      isCurrent: publicId === current,
      signedIn: momentOf(signedInAt),
      lastUsed: ago((Date.now() - lastUsedAt.getTime()) / 1000),
    }))
    .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
}
export type OwnSession = Awaited<ReturnType<typeof ownSessions>>[number];
