import { run } from "./command.ts";

/** Images of tests only: what FROM names is here one that we have made. */
const STORE = ["--root", "/var/cache/samespot-image", "--runroot", "/run/samespot-image"];

/** @throws Error with what it printed */
export const buildah = (...args: string[]): string =>
  run("buildah", [...STORE, ...args], { env: { ...process.env, BUILDAH_ISOLATION: "chroot" } });

/** Layers of earlier builds are kept, as Docker does, until there are so many. */
const MOST_LAYERS = 60;

export function forgetOldLayers(): void {
  if (buildah("images", "--all", "--quiet").split("\n").length > MOST_LAYERS) buildah("rmi", "--prune", "--force");
}
