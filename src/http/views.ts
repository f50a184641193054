import { fileURLToPath } from "node:url";
import view from "@fastify/view";
import { Eta } from "eta";
import type { FastifyInstance } from "fastify";
import { assetBase } from "./assets.ts";

const VIEWS = fileURLToPath(new URL("../../views", import.meta.url));

/**
 * Gives `reply.view(page, data, { layout })`. Pages and layouts are named without their extension and found in `views/`
 * of the package, whatever the working directory. Every page has `defaults`, `it.assets` (where `public/` is
 * served), `it.safeHref` and `it.attributes`. A page that prints a missing value fails instead of showing "undefined".
 */
export async function registerViews(
  app: FastifyInstance,
  { production, defaults = {} }: { production: boolean; defaults?: Record<string, unknown> },
): Promise<void> {
  const eta = new Eta({ autoFilter: true, filterFunction: printable, debug: !production });
  await app.register(view, {
    engine: { eta },
    root: VIEWS,
    viewExt: "eta",
    production,
    defaultContext: { assets: assetBase, safeHref, attributes, ...defaults },
  });
}

/** The address when it is http or https, else undefined: escaping does not stop a `javascript:` link. */
export function safeHref(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  return ["http:", "https:"].includes(new URL(url).protocol) ? url : undefined;
}

/**
 * HTML attributes, each with a space before it and its value escaped; for `<%~ %>`. True writes the bare name;
 * undefined, null, false and "" leave the attribute out.
 */
export function attributes(values: Record<string, string | number | boolean | null | undefined>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== "")
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(printable(value))}"`))
    .join("");
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** What `<%= %>` and `<%~ %>` may print. Says the type, never the value, so that nothing private reaches a log. */
function printable(value: unknown): string {
  if (typeof value === "string" || typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError(`a page prints ${value === null ? "null" : typeof value}; give it text or a number`);
}
