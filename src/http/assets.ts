import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { setCost } from "./in-flight.ts";

const ROOT = path.join(import.meta.dirname, "../..");
/** What browsers load, by the folder it is served under. */
const FOLDERS = { "": path.join(ROOT, "public"), "vendor/leaflet/": path.join(ROOT, "node_modules/leaflet/dist") };

/**
 * Base of the addresses of style sheets, scripts and pictures. It names their content, so that browsers may keep them
 * for good and still see a new release at once.
 */
export const assetBase = `/assets/${fingerprint()}`;

/** Serves `public/` and Leaflet below `assetBase`. They need neither session nor database. */
export async function registerAssets(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    setCost(scope, "file");
    for (const [folder, root] of Object.entries(FOLDERS)) {
      await scope.register(fastifyStatic, {
        root,
        prefix: `${assetBase}/${folder}`,
        decorateReply: false,
        index: false,
        cacheControl: false,
        acceptRanges: false, // they are small, and a range that does not fit would be an error of ours
        setHeaders: (reply) => reply.header("cache-control", "public, max-age=31536000, immutable"),
      });
    }
  });
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const root of Object.values(FOLDERS)) {
    for (const file of globSync("**/*.{css,js,svg}", { cwd: root }).sort())
      hash.update(file).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex").slice(0, 10);
}
