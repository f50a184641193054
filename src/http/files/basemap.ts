import { closeSync, createReadStream, fstatSync, openSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { t } from "../../language/translate.ts";
import { badRequest, notFound } from "../../shared/errors.ts";

/** A checked PMTiles file. */
export interface BasemapFile {
  file: string;
  size: number;
  mtimeMs: number;
  /** By its content, the same on all machines that have the file. */
  id: string;
}

/** The most bytes of one answer. A longer range is answered with its beginning. */
export const MOST_BYTES = 4 * 1024 * 1024;

const nameOf = ({ id }: Pick<BasemapFile, "id">): string => `${id}.pmtiles`;

export const basemapPath = (basemap: Pick<BasemapFile, "id">): string => `/basemap/${nameOf(basemap)}`;

/**
 * Serves the file in byte ranges (RFC 9110 section 14), without session or database. It stays open, so that a file put in its place
 * is not mixed with it. If its content is changed in place, answers are empty (204), and maps show the directory's streets.
 */
export async function registerBasemap(app: FastifyInstance, basemap: BasemapFile | undefined): Promise<void> {
  const open = basemap && { fd: openSync(basemap.file, "r"), basemap };
  if (open) app.addHook("onClose", async () => closeSync(open.fd));
  app.route<{ Params: { name: string } }>({
    method: ["GET", "HEAD"],
    url: "/basemap/:name",
    config: { cost: "file" },
    handler: async (request, reply) => {
      if (!open || request.params.name !== nameOf(open.basemap)) throw notFound();
      return send(request, reply, open);
    },
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { fd, basemap }: { fd: number; basemap: BasemapFile },
): FastifyReply {
  const { size, mtimeMs } = fstatSync(fd);
  if (size !== basemap.size || mtimeMs !== basemap.mtimeMs) return reply.code(204).send();
  const etag = `"${basemap.id}"`;
  const cacheControl = "public, max-age=31536000, immutable";
  reply.headers({ "accept-ranges": "bytes", "cache-control": cacheControl, etag });
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  reply.type("application/vnd.pmtiles");
  if (request.method === "HEAD") return reply.header("content-length", size).send();
  const { range, "if-range": ifRange } = request.headers;
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) throw needsRange();
  const part = partOf(range, size);
  if (!part) {
    reply.headers({ "content-range": `bytes */${size}`, "cache-control": "no-store" });
    return reply.code(416).send();
  }
  const { start, end } = part;
  reply.code(206).headers({ "content-range": `bytes ${start}-${end}/${size}`, "content-length": end - start + 1 });
  return reply.send(createReadStream("", { fd, start, end, autoClose: false }));
}

/** The bytes of a range from first to last. Undefined if it is not a single one, or lies beyond the file. */
function partOf(range: string, size: number): { start: number; end: number } | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range) ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const wanted = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  const end = Math.min(wanted, start + MOST_BYTES - 1);
  return start <= end && start < size ? { start, end } : undefined;
}

const needsRange = () => badRequest(t("Ask for a part of this file, with a Range header."));
