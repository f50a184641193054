import type { FastifyRequest } from "fastify";
import type { Config } from "../../../config/config.ts";
import { prepared, queryRow } from "../../../db/sql.ts";
import type { Logger } from "../../../http/logger.ts";
import { countRefusal } from "../../../http/metrics.ts";
import { clientNetwork, type Origin } from "../../../http/network.ts";
import type { SessionLimits } from "../../../http/pages/sessions.ts";
import type { Guard } from "../../../http/routes.ts";
import { t } from "../../../language/translate.ts";
import { KnownError, waitInWords } from "../../../shared/errors.ts";
import { isOperator } from "../../access.ts";
import { type Count, countDown, countUp, forgetCount, readCount } from "../../counters.ts";
import type { DirectoryDeps } from "../../deps.ts";

export interface AuthDeps extends DirectoryDeps {
  config: Pick<
    Config,
    | "auth"
    | "api"
    | "tls"
    | "trustProxy"
    | "sessionSecrets"
    | "production"
    | "signUp"
    | "admins"
    | "languages"
    | "basemap"
    | "publicSearch"
  >;
  log: Logger;
  stopping?: AbortSignal | undefined;
}

/** Gets a prefix under https. */
export const SESSION_COOKIE = "samespot_directory";

const HOUR = 60 * 60;

/** A day without a request, or thirty days in all. */
export const SESSION_LIMITS: SessionLimits = { idleSeconds: 24 * HOUR, absoluteSeconds: 30 * 24 * HOUR };

/** `hasConsented` refers to one application. */
export interface SignedInUser {
  id: string;
  handle: string;
  name: string;
  hasConsented: boolean;
  isOperator: boolean;
}

/** Looks up the user on every request, so that disabling takes effect at once (attacks A17, B28). */
export async function signedInUser(
  { pool, operator }: Pick<DirectoryDeps, "pool" | "operator">,
  request: FastifyRequest,
  clientId?: string,
): Promise<SignedInUser | undefined> {
  const { owner } = request.session;
  if (owner === undefined) return undefined;
  const user = await queryRow<Omit<SignedInUser, "isOperator">>(prepared(pool))`
    SELECT u.id, u.handle, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.handle) AS name,
           EXISTS (SELECT FROM directory.authorization a WHERE a.user_id = u.id AND a.client_id = ${clientId ?? null})
             AS "hasConsented"
      FROM directory."user" u WHERE u.id = ${owner} AND u.disabled_at IS NULL`;
  return user && { ...user, isOperator: isOperator(operator, user) };
}

export interface Own {
  user: SignedInUser;
}

export const users: Guard<AuthDeps, Own> = (deps, handler) => async (request, reply) => {
  const user = await signedInUser(deps, request);
  return user ? handler(deps, request, reply, { user }) : reply.redirect(loginFor(request.url), 303);
};

/**
 * Limits attempts by subject and network, across instances (attacks B18). Stores both as keyed fingerprints, because
 * people type passwords into the handle field.
 */
interface Brake {
  /** Returns a 429 with Retry-After if the limit is reached. */
  check(subject: string, from: Origin): Promise<KnownError | undefined>;
  /** Counts an attempt, or returns the 429. Concurrent calls never exceed the limit. */
  count(subject: string, from: Origin): Promise<KnownError | undefined>;
  forgive(subject: string, from: Origin): Promise<void>;
  clear(subject: string, from: Origin): Promise<void>;
}

interface Attempts {
  /** Unique among all brakes. */
  name: string;
  /** Attempts by one subject from one network. */
  limit: number;
  windowSeconds: number;
}

export function createBrake(
  { pool, vault }: Pick<DirectoryDeps, "pool" | "vault">,
  { name, limit, windowSeconds }: Attempts,
): Brake {
  const counter = (subject: string, from: Origin) => {
    const who = vault.fingerprint(`${clientNetwork(from)} ${subject}`, "brake");
    return { subject: `${name} ${Buffer.from(who).toString("base64url")}`, windowSeconds };
  };
  return {
    async check(subject, from) {
      const count = await readCount(pool, counter(subject, from));
      return count && count.count >= limit ? refusal(count) : undefined;
    },
    async count(subject, from) {
      const count = await countUp(pool, counter(subject, from));
      if (count.count <= limit) return undefined;
      await countDown(pool, counter(subject, from));
      return refusal(count);
    },
    forgive: (subject, from) => countDown(pool, counter(subject, from)),
    clear: (subject, from) => forgetCount(pool, counter(subject, from)),
  };
}

function refusal({ secondsLeft }: Count): KnownError {
  countRefusal("attempts");
  const message = t("Too many failed attempts. Try again in {wait}.", { wait: waitInWords(secondsLeft) });
  return new KnownError(429, "rate_limit_exceeded", message, { headers: { "retry-after": String(secondsLeft) } });
}

export const afterLogin = (request: string, next = ""): string =>
  request ? `/oauth2/consent?request=${encodeURIComponent(request)}` : next || "/settings";

export const loginFor = (path: string): string => {
  const next = ownPage(path);
  return next ? `/login?next=${encodeURIComponent(next)}` : "/login";
};

/** Returns `path` if it is one of our pages that require a log-in, otherwise "" (attacks A18). */
export const ownPage = (path: string): string =>
  /^(?:(?:\/operator)?\/applications(?:\/[\w-]{1,64})?|\/operator(?:\/(?:proposals|duplicates|venues|demo))?)$/.test(
    path,
  )
    ? path
    : "";
