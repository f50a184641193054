import { readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";

/** Edge lengths in pixels (wire-format 9; 256 as in 2011). */
export const ICON_SIZES = [32, 44, 64, 88, 256];

const FOLDER = new URL("../../../public/icons/", import.meta.url);
const INK = "#3d4a5c";
const MONTH_SECONDS = 30 * 24 * 60 * 60;

const glyphs = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(".svg"))
    .map((file) => [file.slice(0, -".svg".length), glyphOf(readFileSync(new URL(file, FOLDER), "utf8"))]),
);

/** Serves `/icons/<name>_<size>.svg` and `/icons/<name>_bg_<size>.svg` (wire-format 9). The default size is 64. */
export function registerIcons(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>("/icons/:file", { config: { cost: "file" } }, (request, reply) => {
    const svg = iconOf(request.params.file);
    if (!svg) return reply.callNotFound();
    return reply
      .header("cache-control", `public, max-age=${MONTH_SECONDS}`)
      .header("cross-origin-resource-policy", "cross-origin")
      .type("image/svg+xml; charset=utf-8")
      .send(svg);
  });
}

export function iconOf(file: string): string | undefined {
  const [, name, bg, size = "64"] = /^([a-z0-9-]+?)(_bg)?(?:_(\d+))?\.svg$/.exec(file) ?? [];
  return name && drawIcon(name, Number(size), { bg: bg !== undefined });
}

/** Returns undefined for an unknown name or size. */
export function drawIcon(name: string, size: number, { bg }: { bg: boolean }): string | undefined {
  const glyph = glyphs.get(name);
  if (!glyph || !ICON_SIZES.includes(size)) return undefined;
  const picture = bg
    ? `<rect width="24" height="24" rx="5" fill="${INK}" stroke="none"/><g transform="translate(4 4) scale(.6667)">${glyph}</g>`
    : glyph;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" color="${bg ? "#fff" : INK}" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${picture}</svg>`;
}

function glyphOf(svg: string): string {
  const [, glyph = ""] = /<svg[^>]*>(.*)<\/svg>/s.exec(svg) ?? [];
  return glyph.replace(/\s*\n\s*/g, "");
}
