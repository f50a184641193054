import type { FastifyReply, FastifyRequest } from "fastify";
import { formatLl } from "../../contract/parameters.ts";
import { addRepairs, undoRepair, withAreas } from "../../harmonize/repairs/change.ts";
import { previewRepair, type RepairPreview } from "../../harmonize/repairs/preview.ts";
import { type Harmonization, mayOnList } from "../../harmonize/run/harmonizations.ts";
import { peopleNamed } from "../../harmonize/run/lists.ts";
import {
  effective,
  type KeptRepair,
  missingColumns,
  parseRepairs,
  REPAIRABLE,
  type RowRepair,
} from "../../harmonize/run/row-repairs.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { sendFile } from "../base/download.ts";
import { sendPage } from "../base/page.ts";
import type { Seen } from "./base/guards.ts";
import { harmonizationOf } from "./base/guards.ts";
import { fieldNames } from "./draft/form.ts";

const KINDS = ["replace", "set", "take", "swap"] as const;
type Kind = (typeof KINDS)[number];

export const repairsPage = (request: FastifyRequest): string => `${harmonizationOf(request)}/repairs`;

/** `GET /harmonizations/:id/repairs` (`kind`, with `preview` what the form below would change). */
export async function showRepairs(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  const { query } = request;
  const kind = KINDS.find((each) => each === textField(query, "kind")) ?? "replace";
  const isOpen = h.state === "draft" || h.state === "ready";
  const mayRepair = mayOnList("reviewer", h, member);
  const asked = mayRepair && isOpen && textField(query, "preview") ? await previewOf(web, h, query) : undefined;
  const names = await peopleNamed(
    web.pool,
    h.repairs.flatMap(({ by, undone }) => [by ?? [], undone?.by ?? []].flat()),
  );
  const repairs = h.repairs.map((kept) => repairView(kept, h, names));
  return sendPage(reply, member, "harmonize/repairs", {
    title: t("Repairs in {name}", { name: h.name }),
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    kind,
    kinds: KINDS.map((each) => ({ kind: each, words: kindNames()[each], isCurrent: each === kind })),
    inputs: inputsOf(kind, h, query),
    isOpen,
    mayRepair,
    repairs,
    downloadable: effective(h.repairs).length > 0,
    preview: asked && "rows" in asked ? asked : undefined,
    errors: asked && "message" in asked ? [{ message: asked.message }] : [],
  });
}

/** `POST /harmonizations/:id/repairs`: makes the repair of the form. */
export async function repair(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  await addRepairs(web.harmonizer, h, member.id, [readRepair(request.body)]);
  return goTo(reply, ...afterwards(h, t("The repair is saved. Rows are now read with it.")));
}

/** `POST /harmonizations/:id/repairs/undo` (`id`). */
export async function undoOne(web: Web, request: FastifyRequest, reply: FastifyReply, { member, h }: Seen) {
  await undoRepair(web.harmonizer, h, member.id, textField(request.body, "id"));
  return goTo(reply, ...afterwards(h, t("The repair is undone.")));
}

/** `GET /harmonizations/:id/repairs/download`: those that count, as `--repairs` of the command line reads them. */
export function sendRepairs(_web: Web, request: FastifyRequest, reply: FastifyReply, { h }: Seen) {
  const json = effective(h.repairs).map(({ repair }) => repair);
  const file = { name: "repairs.json", mediaType: "application/json" };
  return sendFile(request, reply, file, [`${JSON.stringify(json, null, 2)}\n`]);
}

/** A draft is not yet read; the rows of a finished run are brought in line now. */
const afterwards = ({ id, state }: Harmonization, message: string): [string, Notice] =>
  state === "draft"
    ? [`/harmonizations/${id}/repairs`, { kind: "success", message }]
    : [`/harmonizations/${id}`, { kind: "success", message: t("The rows that it changes are being matched again.") }];

async function previewOf(web: Web, h: Harmonization, query: unknown) {
  try {
    const asked = await withAreas(web.harmonizer, h, readRepair(query));
    return previewView(await previewRepair(web.harmonizer, h, asked), h);
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 400) throw error;
    return { message: error.message };
  }
}

function previewView({ first, ...counted }: RepairPreview, { state }: Harmonization) {
  const names = fieldNames();
  return {
    ...counted,
    isDraft: state === "draft",
    first: first.map(({ line, name, changes }) => ({
      line,
      name: name || t("No name"),
      changes: changes.map(({ field, was, now }) => ({ field: names[field], was: was ?? "", now: now ?? "" })),
    })),
  };
}

export type PreviewView = ReturnType<typeof previewView>;

const FIELDS = ["field", "column", "value", "find", "with", "in", "is", "always", "whole", "any_case"] as const;

const typedIn = (given: unknown): Record<(typeof FIELDS)[number], string> =>
  Object.fromEntries(FIELDS.map((name) => [name, textField(given, name)])) as Record<(typeof FIELDS)[number], string>;

/** The repair that a form has, as JSON; throws KnownError 400 for one that is not whole. */
function readRepair(given: unknown): RowRepair {
  const { field, column, value, find, with: by, in: other, is, ...ticked } = typedIn(given);
  const where = other ? { where: { column: other, is } } : {};
  const [always, whole, any_case] = [ticked.always, ticked.whole, ticked.any_case].map((each) => each !== "");
  const forms: Record<Kind, object> = {
    swap: where,
    take: { field, column, always },
    set: { field, value, ...where },
    replace: { column, find, with: by, whole, any_case },
  };
  const kind = KINDS.find((each) => each === textField(given, "kind")) ?? "replace";
  const [repair] = parseRepairs([{ kind, ...forms[kind] }]);
  return repair as RowRepair;
}

export interface Input {
  name: string;
  label: string;
  value: string;
  options?: { value: string; words: string }[];
  isTick?: boolean;
}

/** What the form of a kind asks for, as typed. */
function inputsOf(kind: Kind, { header, state }: Harmonization, given: unknown): Input[] {
  const columns = [...new Set(header)].map((name) => ({ value: name, words: name }));
  const fields = REPAIRABLE.map((field) => ({ value: field, words: fieldNames()[field] }));
  const looksSwapped = state === "draft" ? t("Choose a column") : t("Rows that look swapped");
  const all = { value: "", words: kind === "swap" ? looksSwapped : t("All rows") };
  const where = [
    { name: "in", label: t("where"), options: [all, ...columns] },
    { name: "is", label: t("is") },
  ];
  const forms: Record<Kind, Omit<Input, "value">[]> = {
    replace: [
      { name: "column", label: t("In the column"), options: columns },
      { name: "find", label: t("Find") },
      { name: "with", label: t("Replace with") },
      { name: "whole", label: t("Whole cell"), isTick: true },
      { name: "any_case", label: t("Ignore case"), isTick: true },
    ],
    set: [{ name: "field", label: t("Set"), options: fields }, { name: "value", label: t("to") }, ...where],
    take: [
      { name: "field", label: t("Take"), options: fields },
      { name: "column", label: t("from the column"), options: columns },
      { name: "always", label: t("Also replace existing values"), isTick: true },
    ],
    swap: where,
  };
  return forms[kind].map((input) => ({ ...input, value: textField(given, input.name) }));
}

const kindNames = (): Record<Kind, string> => ({
  replace: t("Find and replace"),
  set: t("Set a value"),
  take: t("Take from a column"),
  swap: t("Swap coordinates"),
});

function repairView(
  { id, by, at, repair, undone, isUnderWay }: KeptRepair,
  { header }: Harmonization,
  names: Map<string, string>,
) {
  const nameOf = (account: string | null) =>
    account ? (names.get(account) ?? t("A former member")) : t("The command line");
  return {
    id,
    words: repairWords(repair),
    by: nameOf(by),
    at: shownTime(new Date(at)),
    isUnderWay: isUnderWay ?? false,
    undone: undone && { by: nameOf(undone.by), at: shownTime(new Date(undone.at)) },
    missing: undone ? undefined : missingColumns(repair, header)[0],
  };
}

export type RepairView = ReturnType<typeof repairView>;

function repairWords(repair: RowRepair): string {
  const names = fieldNames();
  const where = "where" in repair ? repair.where : undefined;
  if (repair.kind === "swap")
    return where
      ? t("Swap latitude and longitude where {column} is “{is}”", where)
      : t("Swap latitude and longitude where only that puts the row near {place}", { place: placeOf(repair.around) });
  if (repair.kind === "replace") {
    const { column, find, with: by, whole, any_case } = repair;
    return t(
      "In {column}, replace “{find}” with “{by}”{whole, select, true {, whole cells only} other {}}{anyCase, select, true {, ignoring case} other {}}",
      { column, find, by, whole: String(whole), anyCase: String(any_case) },
    );
  }
  const field = names[repair.field];
  if (repair.kind === "take")
    return repair.always
      ? t("{field} from {column}", { field, column: repair.column })
      : t("{field} from {column}, where it is empty", { field, column: repair.column });
  const { value } = repair;
  return where
    ? t("{field} is “{value}” where {column} is “{is}”", { field, value, ...where })
    : t("{field} is “{value}” in all rows", { field, value });
}

const placeOf = ([first]: { lat: number; lng: number }[] = []): string =>
  first ? formatLl({ lat: Math.round(first.lat * 10) / 10, lng: Math.round(first.lng * 10) / 10 }) : "";
