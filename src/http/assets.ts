import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { setCost } from "./in-flight.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const FOLDERS = { "": path.join(ROOT, "public"), "vendor/leaflet/": path.join(ROOT, "node_modules/leaflet/dist") };

/** Base address of assets. It contains a hash of their content, so browsers may cache them forever. */
export const assetBase = `/assets/${fingerprint()}`;

/** Serves `public/` and Leaflet below `assetBase`, without session or database. */
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
