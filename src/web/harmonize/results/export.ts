import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Kind } from "../../../files/format.ts";
import { exportText } from "../../../harmonize/export/export.ts";
import { EXPORT_FORMATS, type ExportList, exportFile, type TableFormat } from "../../../harmonize/export/formats.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import { sendFile } from "../../base/download.ts";
import { facetsIn, filterOf } from "../base/filter.ts";
import type { Seen } from "../base/guards.ts";
import { checkEdition } from "./facets.ts";
import { hrefOf, type List, listFields, outcomeOf } from "./list.ts";

/** Parameters of an export: a format, and those of a list of results. */
export const exportFields = listFields.omit({ after: true, before: true }).extend({
  format: z.enum(EXPORT_FORMATS, `format must be one of ${EXPORT_FORMATS.join(", ")}`).default("csv"),
  candidates: z.enum(["0", "1"], "candidates must be 0 or 1").default("0"),
});

const WORDS: Record<TableFormat, string> = {
  csv: "CSV",
  xlsx: "Excel",
  geojson: "GeoJSON",
  parquet: "Parquet",
  json: "JSON",
  ndjson: "NDJSON",
};

export interface TableOffer {
  format: TableFormat;
  words: string;
  /** What an export in the file's own format keeps of the file, and what not. */
  kept?: string | undefined;
}

/** The formats that are offered, the one in which the file came first. */
export function tablesFor({ format }: Pick<Harmonization, "format">): [TableOffer, ...TableOffer[]] {
  const own = format.kind === "map" ? "geojson" : (format.kind ?? "csv");
  const offer = (each: TableFormat): TableOffer => ({ format: each, words: WORDS[each] });
  const others = (["csv", "xlsx", "geojson", "parquet"] as const).filter((each) => each !== own);
  return [
    { ...offer(own), kept: keptOf(format.kind) },
    ...(own === "json" ? [offer("ndjson")] : []),
    ...others.map(offer),
  ];
}

function keptOf(kind: Kind | undefined): string | undefined {
  if (kind === "xlsx")
    return t(
      "In Excel, numbers, their leading zeros, percentages, dates and TRUE or FALSE stay what they are, and formulas become their values. Numbers that are shown in another way, such as phone numbers in brackets, become text. Other sheets, rows above the column names, and the formatting of cells are left out.",
    );
  if (kind === "parquet")
    return t("In Parquet, your columns stay as they are, with their types. In the other formats they are text.");
  if (kind === undefined || kind === "map") return undefined;
  return t(
    "In JSON, NDJSON and GeoJSON, your values keep their types, nested ones too. In the other formats they are text. What your file has outside its list is left out.",
  );
}

/** `GET /harmonizations/:id/export?format=&candidates=1`, in any state; with the parameters of a list of results only its listings. */
export async function sendExport(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { member, h }: Seen,
): Promise<FastifyReply> {
  const { format, candidates, ...asked } = parseParameters(exportFields, request.query);
  await checkEdition(web, member, h, asked);
  const options = { format, hasCandidates: candidates === "1", list: exportList(h, asked) };
  const text = exportText(web.harmonizer, h, options);
  return sendFile(request, reply, exportFile(h, options), text);
}

function exportList(h: Harmonization, asked: Omit<List, "after" | "before">): ExportList | undefined {
  const { show, q } = asked;
  const { narrow: _, ...facets } = facetsIn(asked);
  if (Object.values({ show, q, ...facets }).every((value) => value === undefined)) return undefined;
  const called = facets.edition ?? (facets.removed ? "removed" : "selection");
  const isUnwritten = show === "unwritten";
  return {
    outcome: outcomeOf(show),
    text: q?.trim() ?? "",
    filter: { ...filterOf(asked, h), isUnwritten },
    called,
  };
}

/** The formats in which the shown list is offered; undefined if it is the whole file. */
export function listDownloads(h: Harmonization, asked: List) {
  if (!exportList(h, asked)) return undefined;
  const { show, q, ...facets } = asked;
  const [own] = tablesFor(h);
  const json: TableOffer = { format: "json", words: WORDS.json };
  return [own, ...(own.format === "json" ? [] : [json])].map((offer) => ({
    ...offer,
    href: hrefOf(`${h.id}/export`, { format: offer.format, show, q, ...facetsIn(facets) }),
  }));
}
