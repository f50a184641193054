import type { FastifyReply, FastifyRequest } from "fastify";
import { forgetCheckin, readAgain, rewriteCheckin } from "../../checkins/change.ts";
import { readCheckin, type StoredCheckin } from "../../checkins/read.ts";
import { editCheckinParameters } from "../../contract/checkins.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import { goTo } from "../../http/pages/notice.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import type { Web } from "../base/deps.ts";
import { problemOf } from "../base/directory-problem.ts";
import type { Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { changeHref, checkinDays, creditsOfDays, rowOfCopy } from "./days.ts";

/** `GET /checkins/:id`: a form with what the member said, and one to delete the check-in. */
export async function showCheckin(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const checkin = await find(web, request, visit);
  return sendForm(reply, visit, checkin, { shout: checkin.shout ?? "" });
}

/** `POST /checkins/:id` (`shout`): changes what the member said, at the directory and in the copy. */
export async function editCheckin(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const checkin = await find(web, request, visit);
  const shout = textField(request.body, "shout");
  const { value, errors } = checkParameters(editCheckinParameters, { checkinId: checkin.id, shout });
  if (!value) return sendForm(reply.code(400), visit, checkin, { shout, error: errors.shout });
  return changing(web, reply, visit, checkin, shout, async () => {
    await rewriteCheckin(web, visit.member.id, await web.directory.editCheckin(visit.auth, value));
    return { kind: "success", heading: t("Changed."), message: t("The directory has the new comment.") };
  });
}

/** `POST /checkins/:id/delete`: deletes the check-in at the directory and in the copy. */
export async function deleteCheckin(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const checkin = await find(web, request, visit);
  return changing(web, reply, visit, checkin, checkin.shout ?? "", async () => {
    await web.directory.deleteCheckin(visit.auth, checkin.id);
    await forgetCheckin(web, visit.member.id, checkin.id);
    return { kind: "success", heading: t("Deleted."), message: t("The directory no longer has the check-in.") };
  });
}

/** The page of a check-in, for guests who log in first. */
export const ofCheckin = ({ params }: FastifyRequest): string => changeHref((params as { id: string }).id);

async function find(web: Web, { params }: FastifyRequest, { member }: Visit): Promise<StoredCheckin> {
  const { id } = params as { id: string };
  const checkin = id === storable(id) ? await readCheckin(web, member.id, id) : undefined;
  if (!checkin?.isEditable)
    throw notFound(t("You have no check-in here that can be changed. It may have been deleted."));
  return checkin;
}

async function changing(
  web: Web,
  reply: FastifyReply,
  visit: Visit,
  checkin: StoredCheckin,
  shout: string,
  change: () => Promise<Notice>,
) {
  try {
    return goTo(reply, "/checkins", await change());
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    if (error.kind === "not_found") {
      await forgetCheckin(web, visit.member.id, checkin.id);
      return goTo(reply, "/checkins", gone());
    }
    if (error.kind === "unreachable" || error.kind === "invalid_answer") await readAgain(web, visit.member.id);
    const { status, notice } = problemOf(error);
    return sendForm(reply.code(status), visit, checkin, { shout }, notice);
  }
}

const gone = (): Notice => ({
  kind: "warning",
  heading: t("The check-in was already deleted."),
  message: t("The directory no longer has it, so it is gone here too."),
});

interface Typed {
  shout: string;
  error?: string | undefined;
}

function sendForm(
  reply: FastifyReply,
  { member }: Visit,
  checkin: StoredCheckin,
  { shout, error }: Typed,
  notice?: Notice,
) {
  const days = checkinDays([{ ...rowOfCopy(checkin), changeHref: undefined }]);
  return sendPage(reply, member, "checkins/correct", {
    title: t("Change a check-in"),
    ...{ notice, action: changeHref(checkin.id), days, credits: creditsOfDays(days) },
    ...{ shout, error },
  });
}
