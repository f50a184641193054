import { connect } from "node:tls";
import { isDistributed } from "../../db/citus/distributed.ts";
import { lookAtNodes } from "../../db/citus/nodes.ts";
import { pendingInBackground, pendingMigrations } from "../../db/migrate.ts";
import { execute, queryRow } from "../../db/sql.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { anyWorker } from "../../harmonize/results/progress.ts";
import { filesElsewhere } from "../../harmonize/run/elsewhere.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import type { Finding } from "../../shared/finding.ts";
import { trustAdvice } from "../../shared/trust.ts";
import { PATIENCE_MS, within } from "../../shared/within.ts";
import type { Web } from "../base/deps.ts";
import { type CurrentCredentials, currentCredentials } from "../client-secret/credentials.ts";
import { rowInUse } from "../client-secret/rows.ts";

/** The list of checks gives it its name. */
type Found = Omit<Finding, "name">;

const ok = (words: string): Found => ({ state: "ok", words });
const warning = (words: string): Found => ({ state: "warning", words });
const problem = (words: string): Found => ({ state: "problem", words });

const milliseconds = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;

/** Checks everything that Samespot depends on and has, in parallel. A check that fails or takes too long is a finding too. */
export async function runChecks(web: Web): Promise<Finding[]> {
  const { web: app, auth, api } = web.config;
  const secure = [...new Set([app.url, auth.url, api.url])].filter((url) => url.startsWith("https:"));
  const checks: [name: string, look: () => Promise<Found | undefined>][] = [
    [t("Database"), () => lookAtDatabase(web)],
    [t("Migrations"), () => lookAtMigrations(web)],
    [t("Database roles"), () => lookAtRoles(web)],
    [t("Directory: log-in host"), () => lookAtAuthHost(web)],
    [t("Directory: API host"), () => lookAtApiHost(web)],
    [t("Directory: replicas"), () => lookAtReplicas(web)],
    [t("Client secret"), () => lookAtSecret(web)],
    [t("Encryption keys"), () => lookAtKeys(web)],
    [t("Workers"), () => lookAtWorkers(web)],
    [t("Files of other directories"), () => lookAtOtherDirectories(web)],
    ...secure.map((url): (typeof checks)[number] => [
      t("Certificate of {host}", { host: new URL(url).host }),
      () => lookAtTls(url),
    ]),
  ];
  if (isDistributed(web.pool)) checks.push([t("Database nodes"), () => lookAtDatabaseNodes(web)]);
  if (secure.length === 0) checks.push([t("Certificates"), async () => plainHttp()]);
  const findings = await Promise.all(checks.map(([, look]) => within(look()).catch(failed)));
  return findings.flatMap((finding, at) => (finding ? { name: checks[at]?.[0] ?? "", ...finding } : []));
}

/** Shows the message of a KnownError, but only the code of another error: its message may contain an address. */
function failed(error: unknown): Found {
  if (error instanceof Error && "status" in error) return problem(error.message);
  const code = codeOf(error) && ` (${codeOf(error)})`;
  return problem(advised(t("There was no answer{code}.", { code }), codeOf(error)));
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

/** With what to do if a certificate is not trusted. */
const advised = (words: string, code: string): string => [words, trustAdvice(code) ?? []].flat().join(" ");

async function lookAtAuthHost({ authHost }: Web): Promise<Found> {
  const begun = performance.now();
  const { echoesState, clientSecretUrl } = await authHost.askFeatures();
  const answers = answersIn(authHost.url, begun);
  if (!echoesState) return ok(`${answers} ${t("No OAuth metadata (optional).")}`);
  const offers = clientSecretUrl
    ? t("It lets applications rotate their secrets.")
    : t("It does not rotate secrets: create new ones by hand.");
  return ok(`${answers} ${offers}`);
}

/** A refusal also shows that the host works. */
async function lookAtApiHost(web: Web): Promise<Found> {
  const begun = performance.now();
  await askWithSecret(web).catch((error) => {
    if (!(error instanceof DirectoryError) || ABSENT.has(error.kind)) throw error;
  });
  return ok(answersIn(web.config.api.url, begun));
}

const answersIn = (url: string, begun: number): string =>
  t("{url} answers in {time}.", { url, time: milliseconds(performance.now() - begun) });

async function lookAtReplicas({ directory }: Web): Promise<Found | undefined> {
  const replicas = await directory.replicas();
  if (replicas.length === 0) return undefined;
  const words = replicas.map(({ name, lagSeconds: seconds, isAsked }) => {
    const asked = String(isAsked);
    return seconds === null
      ? t("{name} does not answer, or its lag is unknown{asked, select, true {} other {, so it is not asked}}.", {
          name,
          asked,
        })
      : t("{name} is {seconds} s behind{asked, select, true {} other {, so it is not asked}}.", {
          name,
          seconds,
          asked,
        });
  });
  return { state: replicas.every(({ isAsked }) => isAsked) ? "ok" : "warning", words: words.join(" ") };
}

const ABSENT = new Set(["unreachable", "invalid_answer"]);

async function lookAtSecret(web: Web): Promise<Found> {
  const inUse = await askWithSecret(web);
  const row = await rowInUse(web.prisma, { directory: web.config.api.url, ...inUse });
  const end = row?.expiresAt;
  // The end of a secret that still works was noted after an answer was lost, and is not real.
  if (!end || end < new Date()) return ok(t("The directory accepts it."));
  return warning(t("The secret in use ends {time}. Rotate it again at /admin/secrets.", { time: shownTime(end).text }));
}

async function askWithSecret(web: Web): Promise<CurrentCredentials> {
  const inUse = await currentCredentials(web);
  const { clientId, clientSecret } = inUse;
  await web.directory.askCategories({ clientId, clientSecret });
  return inUse;
}

async function lookAtKeys({ prisma, config }: Web): Promise<Found> {
  const inUse = await prisma.appKey.count();
  const configured = config.encryptionKeys.length;
  const words = t(
    "{configured, plural, one {# key} other {# keys}} in ENCRYPTION_KEYS, {inUse, plural, one {# key} other {# keys}} in use by the app’s data.",
    { configured, inUse },
  );
  return { state: inUse > configured ? "problem" : "ok", words };
}

/** The settings allow plain http on this machine only. */
const plainHttp = (): Found => ok(t("Not needed (local http)."));

export async function lookAtTls(url: string): Promise<Found> {
  const { validTo, isEnding, distrust } = await readCertificate(url, PATIENCE_MS);
  const days = Math.floor((validTo.getTime() - Date.now()) / 86_400_000);
  if (days < 0) return problem(t("It expired {days, plural, one {# day} other {# days}} ago.", { days: -days }));
  if (!distrust)
    return {
      state: isEnding ? "warning" : "ok",
      words: t("{days, plural, one {# day} other {# days}} left.", { days }),
    };
  const words = t("{days, plural, one {# day} other {# days}} left, but it is not trusted from here ({distrust}).", {
    days,
    distrust,
  });
  return warning(advised(words, distrust));
}

async function lookAtDatabase({ pool }: Web): Promise<Found> {
  const begun = performance.now();
  await execute(pool)`SELECT 1`;
  const ms = performance.now() - begun;
  const { version = "", size = "" } =
    (await queryRow<{ version: string; size: string }>(pool)`
    SELECT current_setting('server_version') AS version, pg_size_pretty(pg_database_size(current_database())) AS size`) ??
    {};
  const time = milliseconds(ms);
  const words = t("PostgreSQL {version} answers in {time}; the data takes {size}.", { version, time, size });
  return { state: ms < 100 ? "ok" : "warning", words };
}

async function lookAtDatabaseNodes({ pool }: Web): Promise<Found> {
  const nodes = await lookAtNodes(pool);
  const silent = nodes.filter(({ answers }) => !answers).map(({ name }) => name);
  if (silent.length === 0)
    return ok(
      t("{nodes, plural, one {# Citus node holds} other {# Citus nodes hold}} the venues; all answer.", {
        nodes: nodes.length,
      }),
    );
  const words = t(
    "No answer from {names}. Its venues cannot be found or added until it is back; searches by words or without a position fail too.",
    { names: silent.join(", ") },
  );
  return problem(words);
}

async function lookAtMigrations({ pool }: Web): Promise<Found> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return problem(t("Not applied yet: {names}.", { names: pending.join(", ") }));
  const row = await queryRow<{ number: number }>(pool)`
    SELECT count(*)::int AS number FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const indexes = await pendingInBackground(pool);
  if (indexes.length > 0) return warning(t("Indexes are being built: {names}.", { names: indexes.join(", ") }));
  return ok(
    t("{number, plural, one {# migration} other {# migrations}} applied, none missing.", {
      number: row?.number ?? 0,
    }),
  );
}

interface Roles {
  role: string;
  login: string;
  crosses: boolean;
  app: string;
  directory: string;
}

async function lookAtRoles({ pool }: Web): Promise<Found> {
  const row = await queryRow<Roles>(pool)`
    SELECT current_user AS role, quote_ident(session_user) AS login, has_schema_privilege('directory', 'USAGE') AS crosses,
           quote_ident(current_database() || '_app') AS app, quote_ident(current_database() || '_directory') AS directory`;
  const { role = "", login, crosses, app, directory } = row ?? {};
  if (!crosses)
    return ok(t("The web app connects as {role}, which has no rights on the directory’s tables.", { role }));
  const remedy = `CREATE ROLE ${app}; CREATE ROLE ${directory}; GRANT ${app}, ${directory} TO ${login};`;
  const words = t(
    "The web app and the directory share the role {role}, so the database does not keep them from each other’s tables. A database administrator can run: {remedy} Then restart Samespot. If this warning remains, the log says why.",
    { role, remedy },
  );
  return warning(words);
}

async function lookAtWorkers({ pool }: Web): Promise<Found> {
  if (await anyWorker(pool)) return ok(t("A worker is running."));
  return problem(t("No worker is running, so no file can continue. Start a process with worker in its ROLES."));
}

/** Files are seen only by those who log in at their directory, which is known by its address. */
async function lookAtOtherDirectories({ harmonizer }: Web): Promise<Found | undefined> {
  const others = await filesElsewhere(harmonizer);
  if (others.length === 0) return undefined;
  const words = others.map(({ directory, files }) =>
    t("{files, plural, one {# file belongs} other {# files belong}} to the directory at {directory}.", {
      files,
      directory,
    }),
  );
  const remedy = t(
    "If that is an earlier address of the current directory, set BASE_URL or API_PORT to it to see those files again.",
  );
  return warning([...words, remedy].join(" "));
}

interface Certificate {
  validTo: Date;
  /** Whether it should have been renewed: usually that is done when a third to a half of its life is left. */
  isEnding: boolean;
  /** Node's error code if a browser would not trust the certificate. */
  distrust: string | undefined;
}

/**
 * Returns the certificate at an https address of the settings. Sends nothing but the server name.
 *
 * @throws Error with a code if nothing answers within `deadlineMs`
 */
export function readCertificate(address: string, deadlineMs: number): Promise<Certificate> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    // An untrusted certificate is reported, not refused.
    const socket = connect({ host, port: Number(port || 443), servername: nameOf(host), rejectUnauthorized: false });
    socket.setTimeout(deadlineMs, () => socket.destroy(new Error("no answer in time")));
    socket.once("error", reject);
    socket.once("secureConnect", () => {
      const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
      const distrust = socket.authorized ? undefined : String(socket.authorizationError);
      socket.destroy();
      const validTo = new Date(to);
      resolve({ validTo, isEnding: isEnding(new Date(from), validTo), distrust });
    });
  });
}

const MOST_MS = 21 * 86_400_000;

/** Less than a fifth of its life is left: certificates live from hours to years. */
export function isEnding(from: Date, to: Date, now = Date.now()): boolean {
  return to.getTime() - now < Math.min(MOST_MS, (to.getTime() - from.getTime()) / 5);
}

/** An IP address is not allowed as a server name (RFC 6066 section 3). */
const nameOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? "" : host);
