import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** An answer that is the same for everybody. Concurrent responses share its bytes. */
export interface StaticFile {
  bytes: Buffer;
  type: string;
  etag: string;
  /** By encoding, made at the first request for it. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

export function staticFile(bytes: Buffer, type: string): StaticFile {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}"`;
  return { bytes, type, etag, compressed: new Map() };
}

export async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, cacheControl, effort = "smallest" }: { file: StaticFile; cacheControl: string; effort?: Effort },
): Promise<FastifyReply> {
  const { bytes, type, etag, compressed } = file;
  reply.headers({ "cache-control": cacheControl, vary: "accept-encoding", etag });
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  reply.type(type);
  const encoding = encodingFor(request.headers["accept-encoding"]);
  if (encoding === undefined) return reply.send(bytes);
  const smaller = compressed.get(encoding) ?? compress(bytes, encoding, effort);
  compressed.set(encoding, smaller);
  return reply.header("content-encoding", encoding).send(await smaller);
}

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

type Encoding = "br" | "gzip";

/** Returns the best encoding that `Accept-Encoding` allows (RFC 9110 section 12.5.3), or undefined for none. */
function encodingFor(accepted = ""): Encoding | undefined {
  const allowed = accepted
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((word) => word.trim()))
    .filter(([, weight = ""]) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([name]) => name);
  return (["br", "gzip"] as const).find((encoding) => allowed.includes(encoding));
}

/**
 * "smallest" takes up to half a second of a thread, some for the renderer of maps, once for a file; "fast" a millisecond, for a page;
 * "kept" some milliseconds, for what is sent more than once.
 */
type Effort = "smallest" | "kept" | "fast";

const QUALITIES: Record<Effort, number> = { smallest: constants.BROTLI_MAX_QUALITY, kept: 9, fast: 4 };

function compress(bytes: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === "gzip") return toGzip(bytes, { level: effort === "fast" ? 6 : 9 });
  return toBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITIES[effort] } });
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
