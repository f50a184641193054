import { isDistributed } from "../../db/citus/distributed.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { t } from "../../language/translate.ts";
import { trustAdvice } from "../../shared/trust.ts";
import { PATIENCE_MS, within } from "../../shared/within.ts";
import type { Web } from "../base/deps.ts";
import { shownTime } from "../base/times.ts";
import { type CurrentCredentials, currentCredentials } from "../client-secret/credentials.ts";
import { rowInUse } from "../client-secret/rows.ts";
import { readCertificate } from "./certificates.ts";
import { lookAtDatabase, lookAtDatabaseNodes, lookAtMigrations, lookAtRoles } from "./checks-of-database.ts";
import { lookAtOtherDirectories, lookAtWorkers } from "./checks-of-files.ts";
import { type Finding, milliseconds } from "./finding.ts";

export type Check = Finding & { name: string };

/** Checks everything that Samespot depends on and has, in parallel. A check that fails or takes too long is a finding too. */
export async function runChecks(web: Web): Promise<Check[]> {
  const { web: app, auth, api } = web.config;
  const secure = [...new Set([app.url, auth.url, api.url])].filter((url) => url.startsWith("https:"));
  const checks: [name: string, look: () => Promise<Finding | undefined>][] = [
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
function failed(error: unknown): Finding {
  if (error instanceof Error && "status" in error) return { state: "bad", words: error.message };
  const code = codeOf(error) && ` (${codeOf(error)})`;
  return { state: "bad", words: advised(t("There was no answer{code}.", { code }), codeOf(error)) };
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

/** With what to do if a certificate is not trusted. */
const advised = (words: string, code: string): string => [words, trustAdvice(code) ?? []].flat().join(" ");

async function lookAtAuthHost({ authHost }: Web): Promise<Finding> {
  const begun = performance.now();
  const { echoesState, clientSecretUrl } = await authHost.askFeatures();
  const answers = answersIn(authHost.url, begun);
  if (!echoesState) return { state: "good", words: `${answers} ${t("No OAuth metadata (optional).")}` };
  const offers = clientSecretUrl
    ? t("It offers metadata: applications can rotate their secrets.")
    : t("It offers metadata: secrets have to be rotated by hand.");
  return { state: "good", words: `${answers} ${offers}` };
}

/** A refusal also shows that the host works. */
async function lookAtApiHost(web: Web): Promise<Finding> {
  const begun = performance.now();
  await askWithSecret(web).catch((error) => {
    if (!(error instanceof DirectoryError) || ABSENT.has(error.kind)) throw error;
  });
  return { state: "good", words: answersIn(web.config.api.url, begun) };
}

const answersIn = (url: string, begun: number): string =>
  t("{url} answers in {time}.", { url, time: milliseconds(performance.now() - begun) });

async function lookAtReplicas({ directory }: Web): Promise<Finding | undefined> {
  const replicas = await directory.replicas();
  if (replicas.length === 0) return undefined;
  const words = replicas.map(({ name, lagSeconds: seconds, isAsked }) => {
    const asked = String(isAsked);
    return seconds === null
      ? t("{name} does not answer, or its lag is unknown{asked, select, true {} other {, so it is not asked}}.", {
          ...{ name, asked },
        })
      : t("{name} is {seconds} s behind{asked, select, true {} other {, so it is not asked}}.", {
          ...{ name, seconds, asked },
        });
  });
  return { state: replicas.every(({ isAsked }) => isAsked) ? "good" : "warning", words: words.join(" ") };
}

const ABSENT = new Set(["unreachable", "invalid_answer"]);

async function lookAtSecret(web: Web): Promise<Finding> {
  const inUse = await askWithSecret(web);
  const row = await rowInUse(web.prisma, { directory: web.config.api.url, ...inUse });
  const end = row?.expiresAt;
  // The end of a secret that still works was noted after an answer was lost, and is not real.
  if (!end || end < new Date()) return { state: "good", words: t("The directory accepts it.") };
  return {
    state: "warning",
    words: t("The secret in use ends {time}. Rotate it again at /admin/secrets.", { time: shownTime(end).text }),
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
  const words = t(
    "{configured, plural, one {# key} other {# keys}} in ENCRYPTION_KEYS, {inUse, plural, one {# key} other {# keys}} in use by the app’s data.",
    { configured, inUse },
  );
  return { state: inUse > configured ? "bad" : "good", words };
}

/** The settings allow plain http on this machine only. */
const plainHttp = (): Finding => ({ state: "good", words: t("Not needed (local http).") });

export async function lookAtTls(url: string): Promise<Finding> {
  const { validTo, isEnding, distrust } = await readCertificate(url, PATIENCE_MS);
  const days = Math.floor((validTo.getTime() - Date.now()) / 86_400_000);
  if (days < 0)
    return { state: "bad", words: t("It expired {days, plural, one {# day} other {# days}} ago.", { days: -days }) };
  if (!distrust)
    return {
      state: isEnding ? "warning" : "good",
      words: t("{days, plural, one {# day} other {# days}} left.", { days }),
    };
  const words = t("{days, plural, one {# day} other {# days}} left, but it is not trusted from here ({distrust}).", {
    days,
    distrust,
  });
  return { state: "warning", words: advised(words, distrust) };
}
