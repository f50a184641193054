import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

export type Encoding = "br" | "gzip";

/** Returns the best encoding that `Accept-Encoding` allows (RFC 9110 section 12.5.3), or undefined for none. */
export function encodingFor(accepted = ""): Encoding | undefined {
  const allowed = accepted
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((word) => word.trim()))
    .filter(([, weight = ""]) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name);
  return (["br", "gzip"] as const).find((encoding) => allowed.includes(encoding));
}

/** "smallest" takes up to half a second of a thread, some for the renderer of maps, once for a file; "fast" a millisecond, for a page. */
export type Effort = "smallest" | "fast";

export function compress(bytes: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === "gzip") return toGzip(bytes, { level: effort === "fast" ? 6 : 9 });
  const quality = effort === "fast" ? 4 : constants.BROTLI_MAX_QUALITY;
  return toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
}

/** Smaller ones fit into one packet anyway. */
const SMALLEST = 1_000;

/**
 * Compresses pages, except those of a person that another site may have asked for. The size of a compressed page that contains
 * both words of the request and a secret reveals whether they agree (BREACH), but only to an attacker
 * who can choose the words many times.
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const isPage = String(reply.getHeader("content-type")).startsWith("text/html");
    return isPage ? compressedIf(isChosenHere(request), request, reply, payload) : payload;
  });
}

/** Compresses an answer in which nothing is secret. */
export const compressed = (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
  compressedIf(true, request, reply, payload);

async function compressedIf(may: boolean, { headers }: FastifyRequest, reply: FastifyReply, payload: unknown) {
  if (typeof payload !== "string" || payload.length < SMALLEST) return payload;
  reply.header("vary", [reply.getHeader("vary"), "accept-encoding"].filter(Boolean).join(", "));
  const encoding = encodingFor(headers["accept-encoding"]);
  if (encoding === undefined || !may) return payload;
  reply.header("content-encoding", encoding).removeHeader("content-length");
  return compress(Buffer.from(payload), encoding, "fast");
}

/** Our own page led here, or none did: the person typed the address or took a bookmark, as nobody does a thousand times. */
const CHOSEN_HERE: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/** Without a cookie the page is nobody's. With one, no script of another site can feign the header. */
const isChosenHere = ({ headers }: FastifyRequest): boolean =>
  headers.cookie === undefined || CHOSEN_HERE.has(headers["sec-fetch-site"]);
