import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { notFound } from "../../shared/errors.ts";
import { type StaticFile, sendStaticFile, staticFile } from "./static-file.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const LEAFLET = "node_modules/leaflet/dist";

/** Of packages, as they are: they are minified, and texts in them have lines. Loaded by maps with a file of streets only. */
const RENDERER = [
  "maplibre-gl/dist/maplibre-gl.mjs",
  "maplibre-gl/dist/maplibre-gl-worker.mjs",
  "maplibre-gl/dist/maplibre-gl.css",
  "@maplibre/maplibre-gl-leaflet/leaflet-maplibre-gl.js",
  "pmtiles/dist/pmtiles.js",
];

/**
 * Of the files in `public/css` in this order. Pages have pages.css, and the layouts add another to some; the API reference and
 * frames have one of their own.
 */
const SHEETS: Record<string, readonly string[]> = {
  "pages.css": sources(
    "site",
    "base",
    "chrome",
    "header",
    "layout",
    "hero",
    "buttons",
    "forms",
    "picker",
    "venues",
    "match",
    "data",
    "mappings",
    "harmonize-list",
    "messages",
    "menu",
    "harmonize",
  ),
  "harmonizations.css": sources(
    "harmonize-files",
    "review",
    "candidates",
    "harmonize-add",
    "progress",
    "results",
    "positions",
  ),
  "map.css": [`${LEAFLET}/leaflet.css`, ...sources("map", "map-pins")],
  "combobox.css": sources("combobox"),
  "checkins.css": sources("checkins"),
  "dialog.css": sources("dialog"),
  "docs.css": sources("site", "base", "chrome", "layout", "buttons", "messages", "docs"),
  "try.css": sources("forms"),
  "preview.css": sources("site", "base", "layout", "venues", "data", "messages", "preview"),
};

/** By script: others that it imports and that are served in the same file, to save their requests. No name is declared twice in them. */
export const PARTS: Record<string, readonly string[]> = {
  "map.js": ["street-labels.js", "streets.js"],
  "categories.js": ["combobox.js"],
  "search.js": ["combobox.js"],
};
const WHOLE = globSync("*.{js,svg}", { cwd: path.join(ROOT, "public") }).filter(
  (name) => !Object.values(PARTS).flat().includes(name),
);

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

const assets: ReadonlyMap<string, StaticFile> = new Map([
  ...WHOLE.map((name) => assetOf(name, filesOf(name))),
  assetOf("leaflet.js", [`${LEAFLET}/leaflet.js`]),
  ...RENDERER.map((file) => served(path.basename(file), readFileSync(path.join(ROOT, "node_modules", file)))),
  ...Object.entries(SHEETS).map(([name, files]) => assetOf(name, files)),
]);

/** Base address of assets. It contains a hash of their content, so browsers may cache them forever. */
export const assetBase = `/assets/${fingerprint()}`;

/** Serves the scripts and pictures of `public/`, Leaflet, MapLibre and the sheets below `assetBase`, without session or database. */
export async function registerAssets(app: FastifyInstance): Promise<void> {
  app.route<{ Params: { "*": string } }>({
    method: ["GET", "HEAD"],
    url: `${assetBase}/*`,
    config: { cost: "file" },
    handler: async (request, reply) => {
      const asset = assets.get(request.params["*"]);
      if (!asset) throw notFound();
      return sendStaticFile(request, reply, { file: asset, cacheControl: "public, max-age=31536000, immutable" });
    },
  });
}

function filesOf(name: string): string[] {
  return [...(PARTS[name] ?? []), name].map((part) => `public/${part}`);
}

function assetOf(name: string, files: readonly string[]): [string, StaticFile] {
  const text = files.map((file) => withoutComments(readFileSync(path.join(ROOT, file), "utf8"))).join("");
  return served(name, Buffer.from(withoutImports(text, PARTS[name] ?? [])));
}

/** Drops the imports of what stands in the same file. */
function withoutImports(script: string, parts: readonly string[]): string {
  return script.replace(/^import \{[^}]*\} from "\.\/([^"]+)";\n/gm, (line, part) =>
    parts.includes(part) ? "" : line,
  );
}

function served(name: string, bytes: Buffer): [string, StaticFile] {
  return [name, staticFile(bytes, TYPES[path.extname(name)] ?? "")];
}

/** Drops indentation, and comments with lines of their own, except licences. Fits what `public/` and Leaflet contain. */
export function withoutComments(source: string): string {
  return source
    .replace(/^\s*\/\*(?!!|\s*@preserve)(?:(?!\*\/)[\s\S])*\*\/$/gm, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/\s*\n\s*/g, "\n")
    .trimStart();
}

function sources(...names: string[]): string[] {
  return names.map((name) => `public/css/${name}.css`);
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const [name, { bytes }] of [...assets].sort()) hash.update(name).update(bytes);
  return hash.digest("hex").slice(0, 10);
}
