import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MEGABYTE, tooLarge } from "../../files/formats/base/limits.ts";
import { unusableFile } from "../../files/formats/base/refusal.ts";
import { draftExample, findExample, hasExample } from "../../harmonize/file/example.ts";
import { receiveFile } from "../../harmonize/file/receive.ts";
import { textField } from "../../http/pages/forms.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { acceptUploads, bytesOfPart, untilGone } from "../../http/uploads.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import type { Member } from "../base/members.ts";
import { sendList } from "./list.ts";

const MOST_PASTED = MEGABYTE;
const AROUND = 2 * MEGABYTE;

export function acceptFiles(scope: FastifyInstance, { harmonizer }: Web): Promise<void> {
  const { megabytes } = harmonizer.limits;
  const refusal = () => tooLarge(megabytes);
  return acceptUploads(scope, { bytes: megabytes * MEGABYTE + AROUND, fieldBytes: MOST_PASTED, tooLarge: refusal });
}

/** `POST /harmonizations`: a file or pasted text becomes a draft. */
export async function upload(web: Web, request: FastifyRequest, reply: FastifyReply, member: Member) {
  const sent = { pasted: textField(request.body, "text") };
  try {
    const sender = { accountId: member.id, signal: untilGone(reply) };
    const id = request.upload
      ? await readUpload(web, request.upload, sender, sent)
      : await readForm(web, request, sender);
    if (!id) throw unusableFile(t("Choose a file, or paste your list with the column names in the first line."));
    return reply.redirect(`/harmonizations/${id}`, 303);
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    const notice: Notice = {
      kind: "danger",
      heading: `${error.title ?? t("That did not work")}.`,
      message: error.message,
    };
    return sendList(web, reply.code(error.status), member, { notice, ...sent });
  }
}

interface Sender {
  accountId: string;
  signal: AbortSignal;
}

/** Returns the id of the draft; undefined if neither a file nor text was sent. */
async function readUpload(
  web: Web,
  parts: NonNullable<FastifyRequest["upload"]>,
  sender: Sender,
  sent: { pasted: string },
) {
  let id: string | undefined;
  for await (const part of parts) {
    if (part.type === "file") {
      const bytes = bytesOfPart(part);
      if (part.filename) id = await receiveFile(web.harmonizer, { ...sender, name: part.filename, bytes });
      else for await (const _ of bytes); // a form without a chosen file sends an empty one
    } else if (part.fieldname === "text" && typeof part.value === "string") {
      sent.pasted = part.value;
      if (part.valueTruncated)
        throw unusableFile(t("That is more than can be pasted (1 MB). Upload it as a file."), 413);
    }
  }
  return id ?? paste(web, sender, sent.pasted);
}

async function readForm(web: Web, { body }: FastifyRequest, sender: Sender) {
  if (textField(body, "example") === "") return paste(web, sender, textField(body, "text"));
  if (!hasExample()) throw unusableFile(t("There is no example here. Choose one of your files, or paste a list."));
  const own = await findExample(web.harmonizer, sender.accountId);
  return own?.id ?? draftExample(web.harmonizer, sender.accountId, sender.signal);
}

async function paste(web: Web, sender: Sender, text: string): Promise<string | undefined> {
  if (text.trim() === "") return undefined;
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  return receiveFile(web.harmonizer, { ...sender, name: t("Pasted list"), bytes });
}
