import type { IncomingMessage, ServerResponse } from "node:http";
import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { t } from "../language/translate.ts";
import { KnownError } from "../shared/errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Parts after `_csrf`, to be read in order; null for other forms, undefined if uploads are not accepted. */
    upload: AsyncGenerator<Multipart> | null | undefined;
  }
}

interface UploadLimits {
  bytes: number;
  fieldBytes: number;
  tooLarge: () => KnownError;
}

/** Accepts multipart/form-data with one file (RFC 7578) in a scope with sessions. Refuses guests before reading anything. */
export async function acceptUploads(scope: FastifyInstance, limits: UploadLimits): Promise<void> {
  await scope.register(multipart, {
    throwFileSizeLimit: false, // the reader of the file counts
    limits: { files: 1, fields: 10, parts: 11, fieldSize: limits.fieldBytes, fileSize: limits.bytes, headerPairs: 20 },
  });
  scope.decorateRequest("upload", null);
  scope.addHook("onRequest", async ({ raw, headers, session }) => {
    if (!headers["content-type"]?.startsWith("multipart/form-data")) return;
    if (!session.owner) throw closing(loggedOut()); // attacks W23
    if (Number(headers["content-length"]) > limits.bytes) throw closing(limits.tooLarge());
    expectUpload(raw);
  });
}

/** Accepts a file of a program: as the body, or as the only one of a form. Nothing is read before sentFile(). */
export async function acceptFileBodies(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  const limits = { files: 1, fields: 10, parts: 11, fieldSize: 10_000, headerPairs: 20 };
  // The reader of the file counts.
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: { ...limits, fileSize: Number.MAX_SAFE_INTEGER },
  });
}

/**
 * Returns the file that a program has sent, and its name if it came in a form.
 *
 * @throws KnownError 400 if there is none
 */
export async function sentFile(
  request: FastifyRequest,
): Promise<{ name: string | undefined; bytes: AsyncIterable<Uint8Array> }> {
  const { body } = request;
  if (!request.isMultipart()) {
    if (body) return { name: undefined, bytes: body as AsyncIterable<Uint8Array> };
    throw new KnownError(400, "bad_request", t("The body is empty: send the file as the body, or in a form."));
  }
  const parts = afterEachOther(request);
  for (;;) {
    const { value: part, done } = await parts.next();
    if (done) throw new KnownError(400, "bad_request", t("The form has no file: send one as its field “file”."));
    if (part.type === "file") return { name: part.filename || undefined, bytes: bytesOfPart(part) };
  }
}

/** Returns the `_csrf` of an upload, or "" if it is not the first part; undefined if this is no upload. */
export async function uploadToken(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
  if (request.upload === undefined || !request.isMultipart()) return undefined;
  const parts = afterEachOther(request);
  // The rest of a refused upload is not read, so the connection cannot be used again.
  reply.header("connection", "close");
  const { value: first } = await parts.next();
  request.upload = parts;
  const isToken = first?.type === "field" && first.fieldname === "_csrf" && typeof first.value === "string";
  return isToken ? (first.value as string) : "";
}

async function* afterEachOther(request: FastifyRequest): AsyncGenerator<Multipart> {
  try {
    yield* request.parts();
  } catch (error) {
    throw unreadable(error);
  }
}

export async function* bytesOfPart({ file }: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw unreadable(error);
  }
}

/** Aborted when the client has closed its connection; after its answer, too. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(unreadable(undefined));
  raw.once("close", leave);
  if (raw.closed) leave();
  return gone.signal;
}

function unreadable(cause: unknown): KnownError {
  const message = t("The upload was cut off, or is not a form with one file. Please send it again.");
  return new KnownError(400, "bad_request", message, { title: t("The upload cannot be read"), cause });
}

const loggedOut = () =>
  new KnownError(403, "not_authorized", t("You are not logged in. Log in and send the file again."), {
    title: t("Please log in first"),
  });

function closing({ status, code, message, title, cause }: KnownError): KnownError {
  const headers = { connection: "close" };
  return new KnownError(status, code, message, { headers, cause, ...(title !== undefined && { title }) });
}

interface Limits {
  /** Milliseconds until a body must have arrived, except an upload's. */
  body: number;
  /** Milliseconds that an upload may pause. */
  idle: number;
  /** Average of an upload, checked once it has lasted twice as long as `idle`. */
  bytesPerSecond: number;
  upload: number;
}

/** Checks of an upload per `idle`. */
const LOOKS = 15;

const uploads = new WeakMap<IncomingMessage, () => void>();

/** Cuts slow senders (attacks F20). Node's `requestTimeout` is too short for a large file or too long for a form. */
export function refuseSlowBodies(app: FastifyInstance, limits: Limits): void {
  // Before the request handlers, which may call expectUpload() at once.
  app.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request;
    if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
    const late = setTimeout(() => cut(request, response), limits.body);
    uploads.set(request, () => {
      clearTimeout(late);
      const timer = setInterval(watchUpload(request, response, limits), limits.idle / LOOKS);
      request.once("close", () => clearInterval(timer));
    });
    request.once("close", () => clearTimeout(late));
  });
}

export function expectUpload(request: IncomingMessage): void {
  uploads.get(request)?.();
}

/** Does not count time in which bytes wait for us to read them. */
function watchUpload(request: IncomingMessage, response: ServerResponse, limits: Limits): () => void {
  const { socket } = request;
  const begun = performance.now();
  const before = socket.bytesRead;
  const look = limits.idle / LOOKS;
  let waited = 0;
  let quiet = 0;
  let seen = before;
  return () => {
    if (request.complete || request.readableLength > 0) return;
    waited += look;
    quiet = socket.bytesRead > seen ? 0 : quiet + look;
    seen = socket.bytesRead;
    const isTooSlow = waited > limits.idle * 2 && (seen - before) / (waited / 1000) < limits.bytesPerSecond;
    if (quiet >= limits.idle || isTooSlow || performance.now() - begun > limits.upload) cut(request, response);
  };
}

function cut(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  if (request.complete) return;
  if (socket.writable && !response.headersSent)
    socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  socket.destroySoon();
}
