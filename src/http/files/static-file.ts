import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compress, type Effort, type Encoding, encodingFor } from "./compression.ts";

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
