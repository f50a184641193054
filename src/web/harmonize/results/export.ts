import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { EXPORT_FORMATS, exportFile, exportText } from "../../../harmonize/export/export.ts";
import { findHarmonization } from "../../../harmonize/run/harmonizations.ts";
import { expectDownload } from "../../../http/listener.ts";
import { parseParameters } from "../../../http/parameters.ts";
import { notFound } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { membersOnly } from "../../base/members.ts";

const query = z.object({
  format: z.enum(EXPORT_FORMATS, `format must be one of ${EXPORT_FORMATS.join(", ")}`).default("csv"),
  candidates: z.enum(["0", "1"], "candidates must be 0 or 1").default("0"),
});

/** `GET /harmonizations/:id/export?format=&candidates=1`: for everybody who sees the harmonization, in whatever state it is. */
export function registerExport(app: FastifyInstance, web: Web): void {
  const handler = membersOnly(web, async (request, reply, member) => {
    const { id } = request.params as { id: string };
    const found = await findHarmonization(web.harmonizer, member, id);
    if (!found) throw notFound();
    const { format, candidates } = parseParameters(query, request.query);
    const options = { format, hasCandidates: candidates === "1" };
    const text = exportText(web.harmonizer, found, options);
    return sendFile(request, reply, exportFile(found, options), text);
  });
  app.get("/harmonizations/:id/export", { config: { cost: "transfer" } }, handler);
}

/**
 * A download, as fast as it is taken. Whoever leaves ends it; what fails midway breaks it off, so that a part never passes
 * for the whole.
 */
export function sendFile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType }: { name: string; mediaType: string },
  text: Iterable<string> | AsyncIterable<string>,
): FastifyReply {
  reply.type(mediaType).header("content-disposition", attachment(name));
  expectDownload(reply.request.raw);
  return reply.send(method === "HEAD" ? "" : Readable.from(text));
}

/** RFC 6266: the name, and for old clients what of it is ASCII. */
function attachment(name: string): string {
  const safe = name
    .toWellFormed()
    .replace(/[\p{C}/\\:*?"<>|\ufffd]+/gu, "_")
    .replace(/^\.+/, "_");
  const plain = safe.replace(/[^\w .()-]/g, "_");
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
