import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { t } from "../language/translate.ts";
import { KnownError } from "../shared/errors.ts";
import { expectUpload } from "./slow-bodies.ts";

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

export async function* bytesOf({ file }: MultipartFile): AsyncGenerator<Buffer> {
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
