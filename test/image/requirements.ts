import { existsSync } from "node:fs";
import { run, succeeds } from "./command.ts";

/** Commands with their Debian packages. */
const COMMANDS = {
  buildah: "buildah",
  debootstrap: "debootstrap",
  "docker-compose": "docker-compose",
  ip: "iproute2",
  unshare: "util-linux",
};

/** Options of unshare for a separate set of processes, mounts and network. */
export const NAMESPACES = ["--pid", "--fork", "--kill-child", "--mount-proc", "--mount", "--net"];

/** From the npm package `node`; copied into the base image. */
export const NODE_BINARY = "node_modules/node/bin/node";

/** Installs what is missing. Returns why this machine cannot build an image, or undefined. */
export function whatIsMissing(): string | undefined {
  if (process.platform !== "linux") return "only Linux can build one";
  if (process.getuid?.() !== 0) return "only root can build one";
  if (!succeeds("apt-get", ["--version"])) return "it needs apt-get to install the tools";
  if (!existsSync(NODE_BINARY)) return `${NODE_BINARY} is missing (run npm rebuild node)`;
  const packages = Object.entries(COMMANDS).flatMap(([command, name]) => (isThere(command) ? [] : [name]));
  if (packages.length > 0 && !install(packages)) return `apt-get cannot install ${packages.join(", ")}`;
  if (!succeeds("unshare", [...NAMESPACES, "true"])) return "this machine does not let root make namespaces";
  return undefined;
}

const isThere = (command: string) => succeeds("sh", ["-c", `command -v ${command}`]);

function install(packages: string[]): boolean {
  try {
    run("apt-get", ["update", "-q"]);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}
