// `npm run image`: builds the image with buildah according to Dockerfile and compose.yaml, without Docker, and starts it
// (try-out.ts). If this machine cannot do that, prints the reason and exits with 0. Prints a line per check (check.ts).
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { randomToken } from "../../src/shared/crypto.ts";
import { makeBase, NPM_AUTHORITIES, NPM_SETTINGS } from "./base.ts";
import { buildah, forgetOldLayers } from "./buildah.ts";
import { check, FailedCheck } from "./check.ts";
import { run } from "./command.ts";
import type { ImageConfig } from "./container.ts";
import { npmSettings } from "./npm-settings.ts";
import { NAMESPACES, whatIsMissing } from "./requirements.ts";
import type { TryOut } from "./try-out.ts";
import { VERSION } from "./version.ts";

process.chdir(path.resolve(import.meta.dirname, "../.."));
const why = whatIsMissing();
if (why) console.log(`skipped: the image was not built, because ${why}`);
else process.exitCode = await buildAndTry();

async function buildAndTry(): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-image-")); // only we may enter it
  let container: string | undefined;
  try {
    const environment = await check("docker-compose reads compose.yaml", () => composed(folder));
    await check("the base image exists", () => makeBase(baseOf(readFileSync("Dockerfile", "utf8"))));
    const image = await check("the Dockerfile builds", () => build(folder));
    container = buildah("from", "--pull-never", image);
    const root = buildah("mount", container);
    await check("the image does not contain this machine's npm settings", () => {
      const sizes = [NPM_SETTINGS, NPM_AUTHORITIES].map((file) => statSync(path.join(root, file)).size);
      if (sizes.some((size) => size > 0)) throw new Error("/root still contains files that were lent to the build");
    });
    return tryOut(folder, { root, environment, config: configOf(image) });
  } catch (error) {
    if (!(error instanceof FailedCheck)) throw error;
    return 1;
  } finally {
    if (container) buildah("rm", container);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the settings of the service `samespot`, with a .env as in docs/operations.md. */
function composed(folder: string): Record<string, string> {
  const project = path.join(folder, "compose");
  cpSync("compose.yaml", path.join(project, "compose.yaml"));
  const secrets = ["POSTGRES_PASSWORD", "SESSION_SECRETS", "ENCRYPTION_KEYS"];
  writeFileSync(path.join(project, ".env"), secrets.map((name) => `${name}=${randomToken(32)}\n`).join(""));
  const { services } = parse(run("docker-compose", ["config"], { cwd: project }));
  const environment = Object.entries<unknown>(services.samespot.environment);
  return Object.fromEntries(environment.map(([name, value]) => [name, String(value)]));
}

function baseOf(dockerfile: string): string {
  const names = new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name = ""]) => name));
  if (names.size !== 1) throw new Error(`FROM names ${[...names].join(" and ")}: this check can make only one base`);
  return [...names].join();
}

/** Returns the image's id. */
function build(folder: string): string {
  forgetOldLayers();
  const file = path.join(folder, "image-id");
  buildah(
    "build",
    "--format",
    "docker",
    "--layers",
    "--force-rm",
    "--pull-never",
    "--iidfile",
    file,
    ...["--build-arg", `VERSION=v${VERSION}`],
    ...npmSettings(folder),
    ".",
  );
  return readFileSync(file, "utf8").trim();
}

function configOf(image: string): ImageConfig {
  return JSON.parse(buildah("inspect", "--type", "image", image)).Docker.config;
}

/** Runs in its own network: all ports are free, and the image reaches nothing outside. */
function tryOut(folder: string, what: TryOut): number {
  const file = path.join(folder, "try-out.json");
  writeFileSync(file, JSON.stringify(what));
  const command = [process.execPath, path.join(import.meta.dirname, "try-out.ts"), file];
  const TMPDIR = mkdtempSync(path.join(tmpdir(), "samespot-image-"));
  chmodSync(TMPDIR, 0o755); // PostgreSQL runs as another user
  try {
    const env = { ...process.env, TMPDIR };
    return spawnSync("unshare", [...NAMESPACES, ...command], { env, stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(TMPDIR, { recursive: true, force: true }); // the mounts ended with their namespace
  }
}
