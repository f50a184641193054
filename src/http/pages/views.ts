import { fileURLToPath } from "node:url";
import view from "@fastify/view";
import { Eta } from "eta";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Views } from "../../../.views/all.ts";
import { escapeHtml } from "../../language/html.ts";
import { categoryName } from "../../language/names.ts";
import { currentLanguage, t, tHtml } from "../../language/translate.ts";
import { assetBase } from "../files/assets.ts";
import { type BasemapFile, basemapPath } from "../files/basemap.ts";
import { compressPages } from "../files/static-file.ts";
import { type Attributes, formFields } from "./parts.ts";

const VIEWS = fileURLToPath(new URL("../../../views", import.meta.url));

interface Defaults {
  nav: "app" | "directory" | "none";
  home: string;
  /** Whether maps may ask `/map/z/x/y` for streets. */
  streets: boolean;
  mapTiles: { url: string; attribution?: string | undefined } | undefined;
  /** Drawn in the place of streets, once the page stands. */
  basemap: (BasemapFile & { credit: string }) | undefined;
  /** Whether the venues are those of the sample, which pages give credit for. */
  isSample: boolean;
  signUp: boolean;
}

/** Available in `it` of every view. */
export interface Frame extends Defaults {
  assets: string;
  basemapPath: typeof basemapPath;
  safeHref: typeof safeHref;
  attributes: typeof attributes;
  formFields: typeof formFields;
  language: typeof currentLanguage;
  categoryName: typeof categoryName;
  t: typeof t;
  tHtml: typeof tHtml;
  display?: string | null | undefined;
}

/** Data of a view and its layout, as their first comments declare (`npm run types` writes them to `.views/`). */
export type ViewData<N extends keyof Views, L extends keyof Views = "layout"> = Omit<
  Views[N] & Views[L],
  "body" | keyof Frame
> &
  Partial<Pick<Frame, "nav">>;

/** Rejects properties that neither the view nor its layout takes, even from a spread. */
export type Exactly<D, T> = D & Record<Exclude<keyof D, keyof T>, never>;

export function sendView<N extends keyof Views, D extends ViewData<N>>(
  reply: FastifyReply,
  name: N,
  data: Exactly<D, ViewData<N>>,
): FastifyReply {
  return reply.view(name, data, { layout: "layout" });
}

type DialogData<N extends keyof Views> = Omit<ViewData<N, "dialog">, "nav"> & { display: Frame["display"] };

export function sendDialog<N extends keyof Views, D extends DialogData<N>>(
  reply: FastifyReply,
  name: N,
  data: Exactly<D, DialogData<N>>,
): FastifyReply {
  return reply.view(name, data, { layout: "dialog" });
}

export function sendFrame<N extends keyof Views, D extends Views[N]>(
  reply: FastifyReply,
  name: N,
  data: Exactly<D, Views[N]>,
): FastifyReply {
  return reply.view(name, data);
}

/** Renders a view inside the layout, where no reply can send it. */
export function renderView<N extends keyof Views, D extends ViewData<N>>(
  app: FastifyInstance,
  name: N,
  data: Exactly<D, ViewData<N>>,
): Promise<string> {
  return app.view(name, data, { layout: "layout" });
}

/** A view that prints a missing value fails instead of showing "undefined". Compresses the pages of the scope. */
export async function registerViews(
  app: FastifyInstance,
  { production, defaults }: { production: boolean; defaults: Defaults },
): Promise<void> {
  compressPages(app);
  const eta = createEta(production);
  const words = { language: currentLanguage, categoryName, t, tHtml };
  const frame: Frame = { assets: assetBase, basemapPath, safeHref, attributes, formFields, ...words, ...defaults };
  await app.register(view, { engine: { eta }, root: VIEWS, viewExt: "eta", production, defaultContext: frame });
}

/**
 * Compiles views. The code of a view stands in a block of its own, but in production beside Eta's own names, so that it declares one
 * of them twice; `npm run types` refuses that.
 */
export function createEta(production: boolean): Eta {
  const functionHeader = "const { t, tHtml } = it;";
  const plugins = [{ processTemplate: withoutIndent }];
  const eta = new Eta({ autoFilter: true, filterFunction: printable, debug: !production, functionHeader, plugins });
  if (!production) compileOnce(eta);
  return eta;
}

/** Takes the indent of a view, not of what it prints. */
const withoutIndent = (view: string): string => view.replace(/^[ \t]+/gm, "");

/** In production a template is read once. Otherwise it is read for each page, so that a change shows, but compiled only when it has changed. */
function compileOnce(eta: Eta): void {
  const compile = eta.compile.bind(eta);
  const compiled = new Map<string, ReturnType<typeof compile>>();
  eta.compile = (text, options) => {
    const known = compiled.get(text) ?? compile(text, options);
    compiled.set(text, known);
    return known;
  };
}

/** Returns the address if it is http or https, because escaping does not stop a `javascript:` link. */
export function safeHref(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  return ["http:", "https:"].includes(new URL(url).protocol) ? url : undefined;
}

/** Returns HTML attributes, escaped, each after a space; for `<%~ %>`. */
export function attributes(values: Attributes): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== "")
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(printable(value))}"`))
    .join("");
}

/** Reports the type but never the value, so nothing private reaches a log. */
function printable(value: unknown): string {
  if (typeof value === "string" || typeof value === "bigint" || Number.isFinite(value)) return String(value);
  throw new TypeError(`a view prints ${value === null ? "null" : typeof value}: give it text or a number`);
}
