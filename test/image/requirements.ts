import { existsSync } from "node:fs";
import { run, succeeds } from "./command.ts";

/** Commands and the packages of Debian that have them. */
const COMMANDS = {
  buildah: "buildah",
  debootstrap: "debootstrap",
  "docker-compose": "docker-compose",
  ip: "iproute2",
  unshare: "util-linux",
};

/** What unshare makes for the image to run in: with processes, mounts and a network of its own. */
export const NAMESPACES = ["--pid", "--fork", "--kill-child", "--mount-proc", "--mount", "--net"];

/** The Node that the base image gets: the binary of the npm package `node`. */
export const NODE_BINARY = "node_modules/node/bin/node";

/** Installs what is missing. Returns why no image can be built on this machine, in a few words; undefined where one can. */
export function whatIsMissing(): string | undefined {
  if (process.platform !== "linux") return "only Linux can build one";
  if (process.getuid?.() !== 0) return "only root can build one";
  if (!succeeds("apt-get", ["--version"])) return "the tools come from apt-get, which is not here";
  if (!existsSync(NODE_BINARY)) return `${NODE_BINARY} is missing (npm rebuild node)`;
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
