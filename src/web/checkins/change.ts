import type { FastifyReply, FastifyRequest } from "fastify";
import { addOnce, forgetCheckin, readAgain, rewriteCheckin } from "../../checkins/change.ts";
import { readCheckin, type StoredCheckin } from "../../checkins/read.ts";
import { addCheckinParameters, editCheckinParameters } from "../../contract/checkins.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import { notFound } from "../../shared/errors.ts";
import { storable } from "../../shared/storable.ts";
import type { Web } from "../base/deps.ts";
import { connected, type Visit } from "../base/members.ts";
import { problemOf, sendPage } from "../base/page.ts";
import { formIsOld } from "../venues/add.ts";
import { type CheckinForm, checkinFormView, newCheckinForm } from "../venues/venue.ts";
import { venueHref } from "../venues/view.ts";
import { changeHref, checkinDays, creditsOfDays, rowOfCopy } from "./page.ts";

const LONGEST_KEY = 100;

/** `POST /venues/:id/checkins`: checks the member in at the directory. */
export async function addCheckin(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const form = readForm(request);
  const { value, errors } = checkParameters(addCheckinParameters, form);
  if (!value) return sendForm(reply.code(400), visit, { ...form, error: errors.shout });
  const { id: accountId } = visit.member;
  const key = form.key.slice(0, LONGEST_KEY);
  try {
    const outcome = await addOnce(
      web,
      { accountId, key },
      { add: () => web.directory.addCheckin(visit.auth, value), isUndone },
    );
    return outcome === "added"
      ? goTo(reply, venueHref(form.venueId), added(web))
      : sendForm(reply.code(503), visit, form, unclear(web, t("We don’t know whether an earlier attempt worked.")));
  } catch (error) {
    if (isUnsupported(error)) return sendForm(reply.code(502), visit, form, unsupported());
    const { status, notice } = problemOf(error);
    return sendForm(reply.code(status), visit, form, isUndone(error) ? notice : unclear(web, notice.message));
  }
}

/** The venue's page, for guests who log in first. */
export const ofVenue = (request: FastifyRequest): string => venueHref(readForm(request).venueId);

/** Returns the handler that shows a form again that must not be acted on. */
export const showCheckinFormAgain = (web: Web) =>
  connected(
    web,
    (_web, request, reply, visit) => sendForm(reply.code(403), visit, readForm(request), formIsOld()),
    ofVenue,
  );

type Form = CheckinForm & { venueId: string };

const readForm = ({ params, body }: FastifyRequest): Form => ({
  venueId: (params as { id: string }).id,
  shout: textField(body, "shout"),
  key: textField(body, "key") || newCheckinForm().key,
  error: undefined,
});

/** After these kinds nothing is known. */
const UNCLEAR = new Set(["unreachable", "invalid_answer"]);

const isUndone = (error: unknown) =>
  error instanceof DirectoryError && (!UNCLEAR.has(error.kind) || isUnsupported(error));

/** Foreign directories need not have checkins/add, which is outside the interface (wire-format 10). */
const isUnsupported = (error: unknown) =>
  error instanceof DirectoryError && (error.kind === "not_found" || error.answered === 404 || error.answered === 405);

const historyLink = ({ config }: Web, label: string) => ({ href: `${config.web.url}/checkins`, label });

const added = (web: Web): Notice => ({
  kind: "success",
  heading: t("Checked in."),
  message: t("Your check-in is in the directory."),
  link: historyLink(web, t("Your check-ins")),
});

const unsupported = (): Notice => ({
  kind: "warning",
  heading: t("You are not checked in."),
  message: t("This directory takes no check-ins from applications."),
});

/** Sending the same form again only waits for the result. Another form may check in twice, so the list comes first. */
const unclear = (web: Web, message: string): Notice => ({
  kind: "warning",
  heading: t("You may or may not be checked in."),
  message,
  link: historyLink(web, t("Look for it in your check-ins")),
});

/** The form by itself, because the venue may not be available. */
function sendForm(reply: FastifyReply, { member }: Visit, { venueId, ...form }: Form, notice?: Notice) {
  return sendPage(reply, member, "checkins/add", {
    title: t("Check in"),
    venueHref: venueHref(venueId),
    notice,
    checkin: checkinFormView(venueId, form),
  });
}

/** `GET /checkins/:id`: a form with what the member said, and one to delete the check-in. */
export async function showCheckin(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const checkin = await find(web, request, visit);
  return sendCorrection(reply, visit, checkin, { shout: checkin.shout ?? "" });
}

/** `POST /checkins/:id` (`shout`): changes what the member said, at the directory and in the copy. */
export async function editCheckin(web: Web, request: FastifyRequest, reply: FastifyReply, visit: Visit) {
  const checkin = await find(web, request, visit);
  const shout = textField(request.body, "shout");
  const { value, errors } = checkParameters(editCheckinParameters, { checkinId: checkin.id, shout });
  if (!value) return sendCorrection(reply.code(400), visit, checkin, { shout, error: errors.shout });
  return changing(web, reply, visit, checkin, shout, async () => {
    await rewriteCheckin(web, visit.member.id, await web.directory.editCheckin(visit.auth, value));
    return { kind: "success", heading: t("Changed."), message: t("Your new comment is saved in the directory.") };
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
  if (!checkin?.isEditable) throw notFound(t("You have no check-in to change here. It may have been deleted."));
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
    return sendCorrection(reply.code(status), visit, checkin, { shout }, notice);
  }
}

const gone = (): Notice => ({
  kind: "warning",
  heading: t("The check-in was already deleted."),
  message: t("The directory no longer has this check-in, so it is gone here too."),
});

interface Typed {
  shout: string;
  error?: string | undefined;
}

function sendCorrection(
  reply: FastifyReply,
  { member }: Visit,
  checkin: StoredCheckin,
  { shout, error }: Typed,
  notice?: Notice,
) {
  const days = checkinDays([{ ...rowOfCopy(checkin), changeHref: undefined }]);
  return sendPage(reply, member, "checkins/correct", {
    title: t("Change a check-in"),
    notice,
    action: changeHref(checkin.id),
    days,
    credits: creditsOfDays(days),
    shout,
    error,
  });
}
