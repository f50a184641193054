import { fileURLToPath } from "node:url";
import view from "@fastify/view";
import { Eta } from "eta";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Views } from "../../.views/all.ts";
import { assetBase } from "./assets.ts";
import { type Attributes, formFields } from "./parts.ts";

const VIEWS = fileURLToPath(new URL("../../views", import.meta.url));

/** What a program gives to all of its views. */
interface Defaults {
  nav: "app" | "directory" | "none";
  /** The address of the start page. */
  home: string;
  mapTiles: { url: string; attribution?: string | undefined } | undefined;
  /** A line at the foot of every page. */
  credit: string | undefined;
  /** Whether people may sign up. */
  signUp: boolean;
}

/** What every view finds in `it` besides what it says that it takes. */
export interface Frame extends Defaults {
  /** Where `public/` is served. */
  assets: string;
  safeHref: typeof safeHref;
  attributes: typeof attributes;
  formFields: typeof formFields;
  /** The kind of dialog, in the directory's dialogs. */
  display?: string | null | undefined;
}

/** What a view and the layout around it take, as their first comments say; `.views/` has it from there (`npm run types`). */
export type ViewData<N extends keyof Views, L extends keyof Views = "layout"> = Omit<
  Views[N] & Views[L],
  "body" | keyof Frame
> &
  Partial<Pick<Frame, "nav">>;

/** Makes what neither the view nor its layout takes an error, also where it comes by a spread. */
export type Exactly<D, T> = D & Record<Exclude<keyof D, keyof T>, never>;

/** Sends a view inside the layout. */
export function sendView<N extends keyof Views, D extends ViewData<N>>(
  reply: FastifyReply,
  name: N,
  data: Exactly<D, ViewData<N>>,
): FastifyReply {
  return reply.view(name, data, { layout: "layout" });
}

type DialogData<N extends keyof Views> = Omit<ViewData<N, "dialog">, "nav"> & { display: Frame["display"] };

/** Sends a view inside the layout of dialogs, which are as plain or as large as the `display` of a request has them. */
export function sendDialog<N extends keyof Views, D extends DialogData<N>>(
  reply: FastifyReply,
  name: N,
  data: Exactly<D, DialogData<N>>,
): FastifyReply {
  return reply.view(name, data, { layout: "dialog" });
}

/** Sends a view that is a whole page by itself. */
export function sendFrame<N extends keyof Views, D extends Views[N]>(
  reply: FastifyReply,
  name: N,
  data: Exactly<D, Views[N]>,
): FastifyReply {
  return reply.view(name, data);
}

/** A view inside the layout as text, where there is no reply, or none that can send views. */
export function renderView<N extends keyof Views, D extends ViewData<N>>(
  app: FastifyInstance,
  name: N,
  data: Exactly<D, ViewData<N>>,
): Promise<string> {
  return app.view(name, data, { layout: "layout" });
}

/**
 * Makes views ready to be sent. They are named without their extension and found in `views/` of the package, whatever the
 * working directory. A view that prints a missing value fails instead of showing "undefined".
 */
export async function registerViews(
  app: FastifyInstance,
  { production, defaults }: { production: boolean; defaults: Defaults },
): Promise<void> {
  const eta = new Eta({ autoFilter: true, filterFunction: printable, debug: !production });
  const frame: Frame = { assets: assetBase, safeHref, attributes, formFields, ...defaults };
  await app.register(view, { engine: { eta }, root: VIEWS, viewExt: "eta", production, defaultContext: frame });
}

/** The address when it is http or https, else undefined: escaping does not stop a `javascript:` link. */
export function safeHref(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined;
  return ["http:", "https:"].includes(new URL(url).protocol) ? url : undefined;
}

/** HTML attributes, each with a space before it and its value escaped; for `<%~ %>`. */
export function attributes(values: Attributes): string {
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
