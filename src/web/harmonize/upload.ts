import { createReadStream, existsSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { unusableFile } from "../../harmonize/file/encoding.ts";
import { MOST_BYTES, receiveFile, tooLarge } from "../../harmonize/file/receive.ts";
import { textField } from "../../http/forms.ts";
import type { Notice } from "../../http/parts.ts";
import { acceptUploads, bytesOf } from "../../http/uploads.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { EXAMPLE, sendList } from "./list.ts";

/** Bytes that can be pasted; for more there is the file. */
const MOST_PASTED = 1024 * 1024;
/** Bytes of a form around its file. */
const AROUND = 2 * 1024 * 1024;

/** Prepares the one route whose form is sent as multipart/form-data. */
export const acceptFiles = (scope: FastifyInstance): Promise<void> =>
  acceptUploads(scope, { bytes: MOST_BYTES + AROUND, fieldBytes: MOST_PASTED, tooLarge });

/** `POST /harmonizations`: a file, or its text pasted, becomes a harmonization that is not yet begun. */
export async function upload(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const sent = { pasted: textField(request.body, "text") };
  try {
    const id = request.upload
      ? await readUpload(web, request.upload, member, sent)
      : await readForm(web, request, member);
    if (!id) throw unusableFile("Choose a file, or paste the lines of your list, the names of its columns first.");
    return reply.redirect(`/harmonizations/${id}`, 303);
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    const notice: Notice = {
      kind: "danger",
      heading: `${error.title ?? "That did not work"}.`,
      message: error.message,
    };
    return sendList(web, reply.code(error.status), member, { notice, ...sent });
  }
}

/** The id of what was begun; undefined where neither a file nor text came. */
async function readUpload(
  web: Web,
  parts: NonNullable<FastifyRequest["upload"]>,
  member: Member,
  sent: { pasted: string },
) {
  let id: string | undefined;
  for await (const part of parts) {
    if (part.type === "file") {
      const bytes = bytesOf(part);
      if (part.filename) id = await receiveFile(web.harmonizer, { accountId: member.id, name: part.filename, bytes });
      else for await (const _ of bytes); // a form without a chosen file sends an empty one
    } else if (part.fieldname === "text" && typeof part.value === "string") {
      sent.pasted = part.value;
      if (part.valueTruncated) throw unusableFile("That is more than can be pasted (1 MB). Send it as a file.", 413);
    }
  }
  return id ?? paste(web, member, sent.pasted);
}

async function readForm(web: Web, { body }: FastifyRequest, member: Member) {
  if (textField(body, "example") === "") return paste(web, member, textField(body, "text"));
  if (!existsSync(EXAMPLE)) throw unusableFile("There is no example here. Choose a file of yours, or paste a list.");
  return receiveFile(web.harmonizer, { accountId: member.id, name: "listings.csv", bytes: createReadStream(EXAMPLE) });
}

async function paste(web: Web, { id: accountId }: Member, text: string): Promise<string | undefined> {
  if (text.trim() === "") return undefined;
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  return receiveFile(web.harmonizer, { accountId, name: "Pasted list", bytes });
}
