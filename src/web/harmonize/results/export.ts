import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { exportText } from "../../../harmonize/export/export.ts";
import { EXPORT_FORMATS, exportFile, type TableFormat } from "../../../harmonize/export/formats.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { expectDownload } from "../../../http/listener.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { t } from "../../../language/translate.ts";
import type { Web } from "../../base/deps.ts";
import type { Seen } from "../base/guards.ts";

const query = z.object({
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
  const own = format.kind ?? "csv";
  const offer = (each: TableFormat): TableOffer => ({ format: each, words: WORDS[each] });
  const others = (["csv", "xlsx", "geojson", "parquet"] as const).filter((each) => each !== own);
  return [{ ...offer(own), kept: keptOf(own) }, ...(own === "json" ? [offer("ndjson")] : []), ...others.map(offer)];
}

function keptOf(own: TableFormat): string | undefined {
  if (own === "xlsx")
    return t(
      "In Excel, numbers, percentages, dates and TRUE or FALSE stay what they are, and formulas become their values. Other sheets, rows above the column names, and the formatting of cells are left out.",
    );
  if (own === "parquet")
    return t("In Parquet, your columns stay as they are, with their types. In the other formats they are text.");
  if (own === "csv") return undefined;
  return t(
    "In JSON, NDJSON and GeoJSON, your values keep their types, nested ones too. In the other formats they are text. What your file has outside its list is left out.",
  );
}

/** `GET /harmonizations/:id/export?format=&candidates=1`, in any state. */
export function sendExport(web: Web, request: FastifyRequest, reply: FastifyReply, { found }: Seen): FastifyReply {
  const { format, candidates } = parseParameters(query, request.query);
  const options = { format, hasCandidates: candidates === "1" };
  const text = exportText(web.harmonizer, found, options);
  return sendFile(request, reply, exportFile(found, options), text);
}

/**
 * Sends a download at the reader's pace. It stops if the reader leaves; an error breaks the connection, so that a part
 * never passes for the whole.
 */
export function sendFile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType }: { name: string; mediaType: string },
  text: Iterable<string> | AsyncIterable<string | Uint8Array>,
): FastifyReply {
  reply.type(mediaType).header("content-disposition", attachment(name));
  expectDownload(reply.request.raw);
  return reply.send(method === "HEAD" ? "" : Readable.from(text));
}

/** RFC 6266, with an ASCII name for old clients. */
function attachment(name: string): string {
  const safe = name
    .toWellFormed()
    .replace(/[\p{C}/\\:*?"<>|\ufffd]+/gu, "_")
    .replace(/^\.+/, "_");
  const plain = safe.replace(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
