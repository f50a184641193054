import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { KnownError } from "../shared/errors.ts";
import { expectUpload } from "./slow-bodies.ts";

declare module "fastify" {
  interface FastifyRequest {
    /**
     * The parts of an upload behind its `_csrf`, in their order, each to be read before the next; null for another form,
     * undefined where no uploads are taken.
     */
    upload: AsyncGenerator<Multipart> | null | undefined;
  }
}

interface UploadLimits {
  /** Bytes of the body, above which it is refused before any of it is read. */
  bytes: number;
  /** Bytes of a field that is no file. */
  fieldBytes: number;
  /** What answers a body that is too large. */
  tooLarge: () => KnownError;
}

/**
 * Takes multipart/form-data in this scope, which must have sessions, besides what it takes already: a form with one file
 * (RFC 7578). Its bytes are passed on as they arrive, and none is kept here. Guests are refused before any of it is read.
 */
export async function acceptUploads(scope: FastifyInstance, limits: UploadLimits): Promise<void> {
  await scope.register(multipart, {
    throwFileSizeLimit: false, // who reads the file counts
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

/**
 * The `_csrf` of an upload, which must be the first of its parts; "" where it is not. Undefined for what is no upload, or
 * comes where none is taken.
 */
export async function uploadToken(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
  if (request.upload === undefined || !request.isMultipart()) return undefined;
  const parts = afterEachOther(request);
  // Of what is refused the rest is not read: then the connection is of no use any more.
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

/** The bytes of a part that is a file. */
export async function* bytesOf({ file }: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(cause: unknown): KnownError {
  const message = "The upload ended before its time, or is not a form with one file. Please send it again.";
  return new KnownError(400, "bad_request", message, { title: "The upload cannot be read", cause });
}

const loggedOut = () =>
  new KnownError(403, "not_authorized", "You are not logged in, or not any more. Log in, and send the file again.", {
    title: "Please log in first",
  });

function closing({ status, code, message, title, cause }: KnownError): KnownError {
  const headers = { connection: "close" };
  return new KnownError(status, code, message, { headers, cause, ...(title !== undefined && { title }) });
}
