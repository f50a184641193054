import { spawnSync } from "node:child_process";

/** Installs a package of Debian, as root. Returns why it cannot be installed, or undefined once it is. */
export function installDebian(name: string): string | undefined {
  if (process.getuid?.() !== 0) return "it is not installed and only root can install it";
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-qq", "--no-install-recommends", name],
  ]) {
    const { status, error } = spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] });
    if (error) return "it needs apt-get to be installed";
    if (status !== 0) return `apt-get ${args[0]} failed`;
  }
  return undefined;
}
