import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Config, sessionSetting } from "../config/config.ts";
import { connect } from "../db/connections.ts";
import { openDatabase } from "../db/database.ts";
import { freeSpace } from "../db/embedded/files.ts";
import { embeddedHome } from "../db/embedded/outside.ts";
import { checked, type Finding, ok, problem, warning } from "../shared/finding.ts";
import { databaseTrustAdvice } from "../shared/trust.ts";
import { ownVersion } from "../shared/version.ts";
import { createWebVault, storedCredentials } from "../web/client-secret/credentials.ts";
import { lookAtAddresses } from "./addresses.ts";
import { lookAtData } from "./data.ts";
import { lookAtServer } from "./database.ts";

const PATIENCE_MS = 60_000;

/**
 * Checks settings and surroundings. Changes nothing, except that the directory remembers a log-in that was begun.
 *
 * @param url of the database, or why the embedded one does not start
 */
export async function examine(config: Config, url: string | Error): Promise<Finding[]> {
  const { findings, clientId } = await lookAtDatabase(config, url);
  return [
    ok("Samespot", ownVersion()),
    lookAtNode(),
    ...lookAtConfig(config),
    ...(await checked("Space", () => lookAtSpace(folderOf(config)))),
    ...findings,
    ...(await lookAtAddresses(config, clientId)),
  ];
}

/** Uploads are kept in the database. */
const folderOf = ({ dataDir, databaseUrl }: Config) => (databaseUrl === undefined ? embeddedHome(dataDir) : dataDir);

async function lookAtDatabase(
  config: Config,
  url: string | Error,
): Promise<{ findings: Finding[]; clientId: string | undefined }> {
  const configured = config.client?.id;
  if (url instanceof Error) {
    const todo = "Correct that, and run samespot doctor again, which then looks at the data too.";
    return { findings: [problem("Database", url.message, todo)], clientId: configured };
  }
  const connecting = connect({
    connectionString: url,
    application_name: "samespot doctor",
    connectionTimeoutMillis: 5000,
  });
  const client = await connecting.catch((error: Error & { code?: string }) => error);
  if (client instanceof Error) {
    const setting = sessionSetting(config);
    const todo =
      databaseTrustAdvice(client.code, setting) ??
      `Check that the server runs, and address, user, password and database in ${setting}.`;
    return {
      findings: [problem("Database", `It cannot be used (${client.code ?? "no answer"}).`, todo)],
      clientId: configured,
    };
  }
  const { pool, close } = openDatabase(url, { patience: PATIENCE_MS });
  try {
    const findings = [...(await lookAtServer(client)), ...(await lookAtData(config, pool))];
    const keeper = { pool, vault: createWebVault(config.encryptionKeys) };
    const stored = await storedCredentials(keeper, config.api.url).catch(() => undefined);
    return { findings, clientId: configured ?? stored?.clientId };
  } finally {
    await Promise.all([client.end(), close()]);
  }
}

export function lookAtConfig({ web, production, sampleData, admins, databaseUrl }: Config): Finding[] {
  const isPublic = web.url.startsWith("https:");
  const findings: Finding[] = [];
  if (isPublic && sampleData)
    findings.push(
      warning(
        "SAMPLE_DATA",
        "On at a public address: there is a demo account.",
        "Remove the demo data at /operator/demo of the authorization host, then set SAMPLE_DATA=off.",
      ),
    );
  if (isPublic && !production)
    findings.push(warning("NODE_ENV", "Not production at a public address.", "Set NODE_ENV=production."));
  if (isPublic && databaseUrl === undefined)
    findings.push(
      warning(
        "DATABASE_URL",
        "The embedded database serves a public address.",
        "Consider a PostgreSQL of its own, and back up DATA_DIR's keys.",
      ),
    );
  if (admins.length === 0)
    findings.push(
      warning(
        "ADMINS",
        "Nobody is an admin by the settings.",
        "Set ADMINS to the user id of a person at the directory.",
      ),
    );
  return findings.length > 0 ? findings : [ok("Settings", "They fit together.")];
}

const NODE = 24;

export function lookAtNode(version = process.versions.node): Finding {
  const name = "Node.js";
  if (Number.parseInt(version, 10) >= NODE) return ok(name, version);
  return problem(name, `${version} is too old.`, `Run it with npm, which installs Node.js ${NODE}, or install that.`);
}

const GB = 1024 ** 3;
const ENOUGH = { problem: 0.2 * GB, warning: 2 * GB };
/** The embedded database has some thousand files. */
const ENOUGH_FILES = 1000;

export async function lookAtSpace(folder: string, enough = ENOUGH): Promise<Finding[]> {
  const folders = { "Space for data": nearest(folder), "Space for temporary files": tmpdir() };
  return Promise.all(
    Object.entries(folders).map(async ([name, folder]) => {
      const { bytes: free, files } = await freeSpace(folder);
      if (files < ENOUGH_FILES)
        return problem(
          name,
          `Only ${files} more files (inodes) can be made in ${folder}.`,
          "Delete files there or enlarge the volume now: writes will fail.",
        );
      const words = `${(free / GB).toFixed(1)} GB free in ${folder}.`;
      if (free < enough.problem) return problem(name, words, "Free space or enlarge the volume now: writes will fail.");
      return free < enough.warning ? warning(name, words, "Free space or enlarge the volume.") : ok(name, words);
    }),
  );
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(path.dirname(folder));
}
