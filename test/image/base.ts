import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildah } from "./buildah.ts";
import { run } from "./command.ts";
import { NODE_BINARY } from "./requirements.ts";

/** As in the official image of Node 24. */
const NPM = "11.19.1";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Makes the image that FROM names, such as `node:24-bookworm-slim`, without an image registry: Debian from apt's archive, Node and
 * npm from npm, and the user `node` (1000). Keeps it until this file or Node changes.
 */
export function makeBase(from: string): void {
  const [, suite = ""] = /^node:24-(\w+)-slim$/.exec(from) ?? [];
  if (!suite) throw new Error(`FROM ${from}: this check can make only node:24-SUITE-slim`);
  const recipe = `${readFileSync(import.meta.filename)} ${from} ${run(NODE_BINARY, ["--version"])}`;
  const kept = `localhost/samespot-base:${createHash("sha256").update(recipe).digest("hex").slice(0, 16)}`;
  if (!buildah("images", "--format", "{{.Name}}:{{.Tag}}").split("\n").includes(kept)) make(suite, kept);
  buildah("tag", kept, `docker.io/library/${from}`);
}

function make(suite: string, image: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-base-"));
  chmodSync(folder, 0o755);
  const root = path.join(folder, "root");
  try {
    run("debootstrap", ["--variant=minbase", "--include=ca-certificates", suite, root, archiveOf(suite)]);
    run("chroot", [root, "apt-get", "clean"]);
    run("chroot", [root, "useradd", "--uid", "1000", "--user-group", "--create-home", "--shell", "/bin/bash", "node"]);
    copyFileSync(NODE_BINARY, path.join(root, "usr/local/bin/node"));
    run("npm", ["install", "--global", "--prefix", path.join(root, "usr/local"), "--ignore-scripts", `npm@${NPM}`]);
    run(
      "touch",
      ["/etc/hosts", NPM_SETTINGS, NPM_AUTHORITIES].map((file) => path.join(root, file)),
    );
    const container = buildah("from", "scratch");
    buildah("copy", "--quiet", container, root, "/");
    buildah("config", "--env", `PATH=${PATH}`, "--cmd", '["node"]', container);
    buildah("commit", "--quiet", "--rm", container, image);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Empty in the image. During the build they contain this machine's npm settings. */
export const NPM_SETTINGS = "/root/.npmrc";
export const NPM_AUTHORITIES = "/root/.npm-authorities.pem";

/** Returns the address from which apt gets the suite. */
function archiveOf(suite: string): string {
  const sources = run("apt-get", ["indextargets", "--format", "$(RELEASE) $(SITE)", "Created-By: Packages"]);
  const sites = sources.split("\n").map((line) => line.split(" "));
  const site = (sites.find(([release]) => release === suite) ??
    sites.find(([, site]) => site?.endsWith("/debian")))?.[1];
  if (!site || !/^https?:/.test(site)) throw new Error(`apt's sources have no http archive of Debian ${suite}`);
  return site;
}
