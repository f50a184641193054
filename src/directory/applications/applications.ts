import { text } from "../../contract/text.ts";
import type { Application } from "../../db/generated/client.ts";
import { type Db, execute, prepared, queryRow, sql } from "../../db/sql.ts";
import { t } from "../../language/translate.ts";
import { randomId, randomToken, sha256 } from "../../shared/crypto.ts";
import { badRequest, KnownError, notFound } from "../../shared/errors.ts";
import type { Access } from "../access.ts";
import type { DirectoryDeps } from "../deps.ts";

export interface NewApplication
  extends Pick<ApplicationSettings, "name" | "redirectUris">,
    Partial<Omit<ApplicationSettings, "name" | "redirectUris">> {
  ownerId: string;
  rateLimit?: number | null;
  access?: Access;
}

/** Throws KnownError 400 param_error for an invalid name or redirect URI, 409 if the owner has `most` already. */
export async function addApplication(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { ownerId, ...input }: NewApplication,
  { most = Number.POSITIVE_INFINITY }: { most?: number } = {},
): Promise<{ clientId: string; clientSecret: string }> {
  const clientSecret = randomToken();
  const data = {
    redirectMatch: "exact",
    tokenFlow: false,
    webConnect: false,
    rotatesItself: false,
    rateLimit: null,
    ...input,
    ...cleanSettings(input),
    clientId: randomId(),
    ownerId,
    secrets: { create: { hash: sha256(clientSecret) } },
  } as const;
  await prisma.$transaction(async (tx) => {
    // Serializes concurrent registrations by the same owner.
    await tx.$queryRaw`SELECT 1 FROM directory."user" WHERE id = ${ownerId} FOR NO KEY UPDATE`;
    if ((await tx.application.count({ where: { ownerId } })) >= most)
      throw new KnownError(
        409,
        "param_error",
        t("You have {most, number} applications already. Delete one that you no longer need.", { most }),
      );
    await tx.application.create({ data });
  });
  return { clientId: data.clientId, clientSecret };
}

/**
 * Deletes pending authorization requests that the new settings no longer allow, because consent applies to the stored
 * request. Throws KnownError 400 param_error for an invalid name or redirect URI, 404 for an unknown application.
 */
export async function updateApplication(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  clientId: string,
  changes: Partial<ApplicationSettings>,
): Promise<void> {
  const data = { ...changes, ...cleanSettings(changes) };
  await prisma.$transaction(async (tx) => {
    const [application] = await tx.application.updateManyAndReturn({ where: { clientId }, data });
    if (!application) throw notFound(UNKNOWN_CLIENT);
    const waiting = await tx.authorizationRequest.findMany({ where: { clientId, decidedAt: null } });
    // An empty URI (web connect) means the first one, which changes with the list.
    const goesWhereItDid = (uri: string) =>
      uri === "" ? application.webConnect && changes.redirectUris === undefined : redirectUriMatches(application, uri);
    const isOver = ({ redirectUri, responseType }: (typeof waiting)[number]) =>
      !goesWhereItDid(redirectUri) || (responseType === "token" && !application.tokenFlow);
    await tx.authorizationRequest.deleteMany({ where: { id: { in: waiting.filter(isOver).map(({ id }) => id) } } });
  });
}

/** Also deletes its users' tokens and consents, provider ids and annotations. Throws KnownError 404. */
export async function removeApplication({ prisma }: Pick<DirectoryDeps, "prisma">, clientId: string): Promise<void> {
  const { count } = await prisma.application.deleteMany({ where: { clientId } });
  if (count === 0) throw notFound(UNKNOWN_CLIENT);
}

export const UNKNOWN_CLIENT = "There is no application with this client id.";

export type ShownApplication = Application & { owner: string };

export async function findApplication(db: Db, clientId: string): Promise<ShownApplication | undefined> {
  if (!isPlainId(clientId)) return undefined;
  return queryRow<ShownApplication>(prepared(db))`
    SELECT ${APPLICATION_COLUMNS}, u.handle AS owner
      FROM directory.application a JOIN directory."user" u ON u.id = a.owner_id WHERE a.client_id = ${clientId}`;
}

const APPLICATION_COLUMNS = sql`a.client_id AS "clientId", a.name, a.owner_id AS "ownerId", a.redirect_uris AS "redirectUris",
  a.redirect_match AS "redirectMatch", a.token_flow AS "tokenFlow", a.web_connect AS "webConnect",
  a.rotates_itself AS "rotatesItself", a.rate_limit AS "rateLimit", a.access,
  a.requested_at AS "requestedAt", a.created_at AS "createdAt"`;

/** Keeps invalid ids (NUL, 10 KB) away from the database. */
export const isPlainId = (id: string) => /^[\w-]{1,64}$/.test(id);

/** Puts a redirect URI first, unless the application has it. Returns false for an unknown application. */
export async function ensureRedirectUri(db: Db, clientId: string, uri: string): Promise<boolean> {
  checkRedirectUri(uri);
  const count = await execute(db)`
    UPDATE directory.application
       SET redirect_uris = CASE WHEN ${uri} = ANY(redirect_uris) THEN redirect_uris ELSE ${uri}::text || redirect_uris END
     WHERE client_id = ${clientId}`;
  return count === 1;
}

/** Lifts the default rate limit (a limit set for the application stays), and allows it to change its own secret. */
export async function liftRestrictions(db: Db, clientId: string): Promise<void> {
  await execute(db)`
    UPDATE directory.application SET rate_limit = coalesce(rate_limit, 0), rotates_itself = true
     WHERE client_id = ${clientId}`;
}

interface Wanted {
  ownerId?: string;
  /** Matches part of the name or of the owner's handle, or the whole client id. */
  query?: string;
  isForOperator?: boolean;
  skip?: number;
  take?: number;
}

export function listApplications(
  { prisma }: Pick<DirectoryDeps, "prisma">,
  { ownerId, query = "", isForOperator = false, ...page }: Wanted = {},
) {
  const has = { contains: query.replace(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const; // Prisma does not escape for LIKE
  return prisma.application.findMany({
    where: {
      ...(ownerId === undefined ? {} : { ownerId }),
      ...(query === "" ? {} : { OR: [{ name: has }, { owner: { handle: has } }, { clientId: query }] }),
    },
    orderBy: isForOperator
      ? [{ requestedAt: { sort: "asc", nulls: "last" } }, { createdAt: "desc" }, { clientId: "asc" }]
      : [{ createdAt: "asc" }, { clientId: "asc" }],
    ...page,
    include: {
      owner: { select: { handle: true } },
      _count: { select: { authorizations: true } },
      secrets: {
        where: { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
        orderBy: { createdAt: "desc" },
        select: { id: true, createdAt: true, expiresAt: true, lastUsedAt: true },
      },
      accessEvents: { orderBy: { id: "desc" }, take: 1, select: { why: true } },
    },
  });
}

export type ListedApplication = Awaited<ReturnType<typeof listApplications>>[number];

/** Returns when a live secret was last used. Calls with users' tokens do not count. */
export const lastUse = ({ secrets }: { secrets: { lastUsedAt: Date | null }[] }): Date | undefined =>
  secrets
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .sort((one, other) => other.getTime() - one.getTime())
    .at(0);

const MAX_LENGTH = 2000;
/** Characters of RFC 3986 and percent-encoding, which browsers read as we do. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
const LOOPBACK = /^(https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;
/** Response parameters: a redirect URI that contains them could pass off another code as ours. */
const ANSWER_PARAMETERS = ["code", "state", "error", "error_description", "access_token"];

/** Allows https, and http on loopback (RFC 6749 section 3.1.2; attacks B05). Throws KnownError 400 param_error. */
export function checkRedirectUri(uri: string): void {
  const problem = problemOf(uri, { uri: JSON.stringify(uri.slice(0, 200)) });
  if (problem) throw badRequest(problem);
}

function problemOf(uri: string, shown: { uri: string }): string | undefined {
  if (uri.length > MAX_LENGTH)
    return t("The redirect URI {uri} is longer than {most} characters.", { ...shown, most: MAX_LENGTH });
  if (!URL.canParse(uri))
    return t("The redirect URI {uri} must be an absolute URL, such as https://example.org/callback.", shown);
  const url = new URL(uri);
  if (uri.includes("#")) return t("The redirect URI {uri} must not have a fragment (#).", shown);
  if (uri.includes("*")) return t("The redirect URI {uri} must not contain a wildcard (*); register each URI.", shown);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(uri)))
    return t(
      "The redirect URI {uri} must be https; plain http is allowed only for localhost, 127.0.0.1 and [::1].",
      shown,
    );
  if (url.username || url.password) return t("The redirect URI {uri} must not contain a user name or password.", shown);
  if (!URI_CHARACTERS.test(uri))
    return t("The redirect URI {uri} contains characters that must be percent-encoded.", shown);
  if (url.href !== uri && url.href !== `${uri}/`)
    return t("The redirect URI {uri} must be written as {better}.", { ...shown, better: url.href });
  if (!bringsAnswer(url)) return undefined;
  return t("The redirect URI {uri} must not have the parameters {names}, which the response adds.", {
    ...shown,
    names: ANSWER_PARAMETERS.join(", "),
  });
}

/**
 * Compares exactly (attacks B01, B06), except for the port of a loopback address (RFC 8252 section 7.3). With
 * `redirectMatch` "path", a request may append query parameters, as old clients do (redirect_state of
 * python-social-auth).
 */
export function redirectUriMatches(
  application: Pick<Application, "redirectUris" | "redirectMatch">,
  uri: string,
): boolean {
  if (uri.length > MAX_LENGTH || !URI_CHARACTERS.test(uri) || !URL.canParse(uri)) return false;
  const sent = withoutLoopbackPort(uri);
  return application.redirectUris.map(withoutLoopbackPort).some((registered) => {
    if (sent === registered) return true;
    const extended = sent.startsWith(registered + (registered.includes("?") ? "&" : "?"));
    return application.redirectMatch === "path" && extended && !bringsAnswer(new URL(uri));
  });
}

const withoutLoopbackPort = (uri: string) => uri.replace(LOOPBACK, "$1");

const bringsAnswer = (url: URL) => ANSWER_PARAMETERS.some((name) => url.searchParams.has(name));

/**
 * The first of `redirectUris` is the default. `tokenFlow` allows response_type=token, `webConnect` calls without
 * redirect_uri. `rateLimit` is calls an hour in each group of endpoints: null for the default, 0 for no limit.
 */
export type ApplicationSettings = Pick<
  Application,
  "name" | "redirectUris" | "redirectMatch" | "tokenFlow" | "webConnect" | "rotatesItself" | "rateLimit"
>;

type Checked = Partial<Pick<ApplicationSettings, "name" | "redirectUris">>;

const MOST_URIS = 20;

/** Throws KnownError 400 param_error that lists every problem. */
function cleanSettings({ name, redirectUris }: Checked): Checked {
  const problems = Object.values(settingsProblems({ name, redirectUris }));
  if (problems.length > 0) throw badRequest(problems.join(" "));
  return {
    ...(name === undefined ? {} : { name: shownName.parse(name) }),
    ...(redirectUris ? { redirectUris: [...new Set(redirectUris)] } : {}),
  };
}

export function settingsProblems({ name, redirectUris }: { [K in keyof Checked]: Checked[K] | undefined }) {
  const problems: Partial<Record<"name" | "redirectUris", string>> = {};
  const nameProblem = name === undefined ? undefined : problemOfName(name);
  if (nameProblem) problems.name = nameProblem;
  const uriProblems = redirectUris === undefined ? [] : problemsOfUris(redirectUris);
  if (uriProblems.length > 0) problems.redirectUris = uriProblems.join(" ");
  return problems;
}

const shownName = text("name", 100);

/** A name needs a visible character, because the consent page shows it. */
const isVisible = (name: string) => /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(name);

function problemOfName(name: string): string | undefined {
  if (name.trim() === "") return t("An application needs a name.");
  const { data, error } = shownName.safeParse(name);
  if (data === undefined) return `The ${error.issues[0]?.message}.`;
  return isVisible(data) ? undefined : t("The name must hold a letter or a digit.");
}

function problemsOfUris(uris: string[]): string[] {
  if (uris.length === 0 || uris.length > MOST_URIS)
    return [t("An application needs 1 to {most, number} redirect URIs.", { most: MOST_URIS })];
  return uris.flatMap((uri) => {
    try {
      checkRedirectUri(uri);
      return [];
    } catch (error) {
      if (error instanceof KnownError) return [error.message];
      throw error;
    }
  });
}
