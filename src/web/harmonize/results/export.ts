import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { exportText } from "../../../harmonize/export/export.ts";
import { EXPORT_FORMATS, exportFile, type TableFormat } from "../../../harmonize/export/formats.ts";
import type { Harmonization } from "../../../harmonize/run/harmonizations.ts";
import { expectDownload } from "../../../http/listener.ts";
import { parseParameters } from "../../../http/parameters.ts";
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
}

/** The formats that are offered, the one in which the file came first. */
export function tablesFor({ format }: Pick<Harmonization, "format">): [TableOffer, ...TableOffer[]] {
  const own = format.kind ?? "csv";
  const offer = (each: TableFormat): TableOffer => ({ format: each, words: WORDS[each] });
  const others = (["csv", "xlsx", "geojson", "parquet"] as const).filter((each) => each !== own);
  return [offer(own), ...(own === "json" ? [offer("ndjson")] : []), ...others.map(offer)];
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
