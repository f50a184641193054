import type { FastifyReply, FastifyRequest } from "fastify";
import { addOnce } from "../../checkins/add-once.ts";
import { addCheckinParameters } from "../../contract/checkins.ts";
import { DirectoryError } from "../../directory-client/calls/errors.ts";
import { textField } from "../../http/pages/forms.ts";
import { goTo } from "../../http/pages/notice.ts";
import type { Notice } from "../../http/pages/parts.ts";
import { checkParameters } from "../../http/parameters.ts";
import { t } from "../../language/translate.ts";
import type { Web } from "../base/deps.ts";
import { problemOf } from "../base/directory-problem.ts";
import { connected, type Visit } from "../base/members.ts";
import { sendPage } from "../base/page.ts";
import { formIsOld } from "../venues/add-page.ts";
import { type CheckinForm, checkinFormView, newCheckinForm } from "../venues/checkin-form.ts";
import { venueHref } from "../venues/view.ts";

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
      : sendForm(reply.code(503), visit, form, unclear(web, t("An earlier attempt has no known result.")));
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
  message: t("The directory has your check-in."),
  link: historyLink(web, t("Your check-ins")),
});

const unsupported = (): Notice => ({
  kind: "warning",
  heading: t("You are not checked in."),
  message: t("This directory takes no check-ins from applications."),
});

/** Sending the same form again only waits for the result. Another form may check in twice, so the list comes first. */
const unclear = (web: Web, message: string): Notice => ({
  ...{ kind: "warning", heading: t("You may be checked in or not."), message },
  link: historyLink(web, t("See whether your check-ins have it")),
});

/** The form by itself, because the venue may not be available. */
function sendForm(reply: FastifyReply, { member }: Visit, { venueId, ...form }: Form, notice?: Notice) {
  return sendPage(reply, member, "checkins/add", {
    title: t("Check in"),
    ...{ venueHref: venueHref(venueId), notice, checkin: checkinFormView(venueId, form) },
  });
}
