import { isDistributed } from "../../db/distributed.ts";
import { pendingInBackground, pendingMigrations } from "../../db/migrate.ts";
import { lookAtNodes } from "../../db/nodes.ts";
import { DirectoryError } from "../../directory-client/errors.ts";
import type { Web } from "../base/deps.ts";
import { shownTime } from "../base/times.ts";
import { PATIENCE_MS, within } from "../base/within.ts";
import { count } from "../base/words.ts";
import { type CurrentCredentials, currentCredentials } from "../client-secret/credentials.ts";
import { rowInUse } from "../client-secret/rows.ts";
import { readCertificate } from "./certificates.ts";

type State = "good" | "warning" | "bad";

interface Finding {
  state: State;
  words: string;
}

export type Check = Finding & { name: string };

/** Checks everything that Samespot depends on and has, in parallel. A check that fails or takes too long is a finding too. */
export async function runChecks(web: Web): Promise<Check[]> {
  const { web: app, auth, api } = web.config;
  const secure = [...new Set([app.url, auth.url, api.url])].filter((url) => url.startsWith("https:"));
  const checks: [name: string, look: () => Promise<Finding | undefined>][] = [
    ["Database", () => lookAtDatabase(web)],
    ["Migrations", () => lookAtMigrations(web)],
    ["Database roles", () => lookAtRoles(web)],
    ["Directory: log-in host", () => lookAtAuthHost(web)],
    ["Directory: API host", () => lookAtApiHost(web)],
    ["Directory: replicas", () => lookAtReplicas(web)],
    ["Client secret", () => lookAtSecret(web)],
    ["Encryption keys", () => lookAtKeys(web)],
    ...secure.map((url): (typeof checks)[number] => [`Certificate of ${new URL(url).host}`, () => lookAtTls(url)]),
  ];
  if (isDistributed(web.pool)) checks.push(["Database nodes", () => lookAtDatabaseNodes(web)]);
  if (secure.length === 0) checks.push(["Certificates", async () => PLAIN_HTTP]);
  const findings = await Promise.all(checks.map(([, look]) => within(look()).catch(failed)));
  return findings.flatMap((finding, at) => (finding ? { name: checks[at]?.[0] ?? "", ...finding } : []));
}

/** Shows the message of a KnownError, but only the code of another error: its message may contain an address. */
function failed(error: unknown): Finding {
  if (error instanceof Error && "status" in error) return { state: "bad", words: error.message };
  const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
  return { state: "bad", words: `There was no answer${code}.` };
}

async function lookAtDatabase({ pool }: Web): Promise<Finding> {
  const begun = performance.now();
  await pool.query("SELECT 1");
  const ms = performance.now() - begun;
  const { rows } = await pool.query(
    `SELECT current_setting('server_version') AS version, pg_size_pretty(pg_database_size(current_database())) AS size`,
  );
  const words = `PostgreSQL ${rows[0].version} answers in ${milliseconds(ms)}; the data takes ${rows[0].size}.`;
  return { state: ms < 100 ? "good" : "warning", words };
}

async function lookAtDatabaseNodes({ pool }: Web): Promise<Finding> {
  const nodes = await lookAtNodes(pool);
  const silent = nodes.filter(({ answers }) => !answers).map(({ name }) => name);
  if (silent.length === 0)
    return { state: "good", words: `${count(nodes.length, "node")} of Citus hold the venues; all answer.` };
  const words = `No answer from ${silent.join(", ")}. Its venues cannot be found or added until it is back; searches by words or without a position fail too.`;
  return { state: "bad", words };
}

async function lookAtMigrations({ pool }: Web): Promise<Finding> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return { state: "bad", words: `Not applied yet: ${pending.join(", ")}.` };
  const { rows } = await pool.query(
    "SELECT count(*)::int AS number FROM public._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  const indexes = await pendingInBackground(pool);
  if (indexes.length > 0) return { state: "warning", words: `Indexes are being built: ${indexes.join(", ")}.` };
  return { state: "good", words: `${count(rows[0].number, "migration")} applied, none missing.` };
}

async function lookAtRoles({ pool }: Web): Promise<Finding> {
  const { rows } = await pool.query(
    `SELECT current_user AS role, quote_ident(session_user) AS login, has_schema_privilege('directory', 'USAGE') AS crosses,
            quote_ident(current_database() || '_app') AS app, quote_ident(current_database() || '_directory') AS directory`,
  );
  const { role, login, crosses, app, directory } = rows[0];
  if (!crosses)
    return { state: "good", words: `The web app connects as ${role}, which has no rights on the directory’s tables.` };
  const remedy = `CREATE ROLE ${app}; CREATE ROLE ${directory}; GRANT ${app}, ${directory} TO ${login};`;
  const words = `The web app and the directory share the role ${role}, so the database does not keep them from each other’s tables. A database administrator can run: ${remedy} Then restart Samespot. If this warning remains, the log says why.`;
  return { state: "warning", words };
}

async function lookAtAuthHost({ authHost }: Web): Promise<Finding> {
  const begun = performance.now();
  const { echoesState, clientSecretUrl } = await authHost.askFeatures();
  const ms = milliseconds(performance.now() - begun);
  const offers = clientSecretUrl ? "applications can rotate their secrets" : "secrets have to be rotated by hand";
  const words = echoesState ? `It offers metadata: ${offers}.` : "It offers no metadata, which is fine.";
  return { state: "good", words: `${authHost.url} answers in ${ms}. ${words}` };
}

/** A refusal also shows that the host works. */
async function lookAtApiHost(web: Web): Promise<Finding> {
  const begun = performance.now();
  await askWithSecret(web).catch((error) => {
    if (!(error instanceof DirectoryError) || ABSENT.has(error.kind)) throw error;
  });
  return { state: "good", words: `${web.config.api.url} answers in ${milliseconds(performance.now() - begun)}.` };
}

async function lookAtReplicas({ directory }: Web): Promise<Finding | undefined> {
  const replicas = await directory.replicas();
  if (replicas.length === 0) return undefined;
  const words = replicas.map(({ name, lagSeconds, isAsked }) => {
    const lag = lagSeconds === null ? "does not answer, or its lag is unknown" : `is ${lagSeconds} s behind`;
    return `${name} ${lag}${isAsked ? "" : ", so it is not asked"}.`;
  });
  return { state: replicas.every(({ isAsked }) => isAsked) ? "good" : "warning", words: words.join(" ") };
}

const ABSENT = new Set(["unreachable", "invalid_answer"]);

async function lookAtSecret(web: Web): Promise<Finding> {
  const inUse = await askWithSecret(web);
  const row = await rowInUse(web.prisma, { directory: web.config.api.url, ...inUse });
  const end = row?.expiresAt;
  // The end of a secret that still works was noted after an answer was lost, and is not real.
  if (!end || end < new Date()) return { state: "good", words: "The directory accepts it." };
  return {
    state: "warning",
    words: `The secret in use ends ${shownTime(end).text}. Rotate it again at /admin/secrets.`,
  };
}

async function askWithSecret(web: Web): Promise<CurrentCredentials> {
  const inUse = await currentCredentials(web);
  const { clientId, clientSecret } = inUse;
  await web.directory.askCategories({ clientId, clientSecret });
  return inUse;
}

async function lookAtKeys({ prisma, config }: Web): Promise<Finding> {
  const inUse = await prisma.appKey.count();
  const configured = config.encryptionKeys.length;
  const words = `${count(configured, "key")} in ENCRYPTION_KEYS, ${count(inUse, "key")} in use by the app’s data.`;
  return { state: inUse > configured ? "bad" : "good", words };
}

/** The settings allow plain http on this machine only. */
const PLAIN_HTTP: Finding = { state: "good", words: "None needed: plain http, on this machine only." };

const SOON_DAYS = 21;

async function lookAtTls(url: string): Promise<Finding> {
  const { validTo, distrust } = await readCertificate(url, PATIENCE_MS);
  const days = Math.floor((validTo.getTime() - Date.now()) / 86_400_000);
  if (days < 0) return { state: "bad", words: `It expired ${count(-days, "day")} ago.` };
  const left = `${count(days, "day")} left`;
  if (distrust) return { state: "warning", words: `${left}, but it is not trusted from here (${distrust}).` };
  return { state: days < SOON_DAYS ? "warning" : "good", words: `${left}.` };
}

const milliseconds = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;
