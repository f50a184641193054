import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { expectDownload } from "../../http/listener.ts";

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
