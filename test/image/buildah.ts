import { run } from "./command.ts";

/** A separate store, because its base images are our own. */
const STORE = ["--root", "/var/cache/samespot-image", "--runroot", "/run/samespot-image"];

/** Returns the output. Throws an Error with it on failure. */
export const buildah = (...args: string[]): string =>
  run("buildah", [...STORE, ...args], { env: { ...process.env, BUILDAH_ISOLATION: "chroot" } });

/** Cached layers to keep. */
const MOST_LAYERS = 60;

export function forgetOldLayers(): void {
  if (buildah("images", "--all", "--quiet").split("\n").length > MOST_LAYERS) buildah("rmi", "--prune", "--force");
}
