import type { FastifyReply } from "fastify";
import { startUndoing } from "../../../harmonize/add/undo-listings.ts";
import { startAnnotating } from "../../../harmonize/annotate/annotate-listings.ts";
import { beginAgain } from "../../../harmonize/file/begin-again.ts";
import { answerPositions } from "../../../harmonize/positions/answer.ts";
import { deleteHarmonization } from "../../../harmonize/run/deletion.ts";
import {
  cancelHarmonization,
  type Harmonization,
  pauseHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../../harmonize/run/harmonizations.ts";
import { goTo, textField } from "../../../http/pages/forms.ts";
import type { Handler } from "../../../http/routes.ts";
import { t } from "../../../language/translate.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Visit } from "../../base/members.ts";
import { problemOf } from "../../base/page.ts";
import type { Seen } from "../base/guards.ts";
import { backTo, renamedTo } from "../base/notice.ts";
import { townName, townProblem } from "../base/town.ts";
import { readName } from "../draft/form.ts";

/** Somebody else was first, or it was a second click. */
const notBegun = () =>
  t("Nothing was started: it is already running, something else is running, or there is nothing left to do.");

/* `POST /harmonizations/:id/…`: the owner's actions. All may be repeated. */
type Act = Handler<Web, Seen>;

export const pause: Act = ({ harmonizer }, _request, reply, { h }) =>
  done(reply, h, pauseHarmonization(harmonizer, h.id));

export const resume: Act = ({ harmonizer }, _request, reply, { h }) =>
  done(reply, h, resumeHarmonization(harmonizer, h.id));

export const cancel: Act = ({ harmonizer }, _request, reply, { h }) =>
  done(reply, h, cancelHarmonization(harmonizer, h.id), {
    said: t("Cancelled. The results so far are kept."),
  });

export const retry: Act = ({ harmonizer }, _request, reply, { h }) =>
  done(reply, h, retryFailed(harmonizer, h.id), { begins: true });

/** With `town`: where the listings are that name no place, or none that the directory knows. */
export const retryInTown: Handler<Web, Seen & Visit> = async (web, request, reply, { h, auth }) => {
  const { data: town, error } = townName.safeParse(textField(request.body, "town"));
  if (!town) return backTo(reply, h.id, { kind: "warning", message: error?.issues[0]?.message ?? noTown() });
  const message = await townProblem(web.directory, auth, town).catch((error) => problemOf(error).notice.message);
  if (message) return backTo(reply, h.id, { kind: "warning", message });
  return done(reply, h, retryFailed(web.harmonizer, h.id, town), { begins: true });
};

const noTown = () => t("Write a town or a postal code, such as Providence, RI.");

export const confirmPositions: Act = ({ harmonizer }, _request, reply, { h }) =>
  done(reply, h, answerPositions(harmonizer, h, "right"), {
    said: t("The positions are used as they are. You can now add the rows without a match."),
  });

export const annotate: Act = ({ harmonizer }, _request, reply, { h, member }) =>
  done(reply, h, startAnnotating(harmonizer, h, member), { begins: true });

export const undoAdding: Act = ({ harmonizer }, _request, reply, { h, member }) =>
  done(reply, h, startUndoing(harmonizer, h, member), { begins: true });

async function done(
  reply: FastifyReply,
  { id }: Harmonization,
  act: Promise<boolean>,
  { said = "", begins = false } = {},
) {
  const isDone = await act;
  if (!isDone && begins) return backTo(reply, id, { kind: "info", message: notBegun() });
  return backTo(reply, id, isDone && said ? { kind: "success", message: said } : undefined);
}

/** Starts a new run of the same file; with `repair=1` its positions are repaired. A draft is left as it is. */
export const again: Act = async (web, request, reply, { h }) => {
  if (h.state === "draft") return backTo(reply, h.id);
  try {
    const isRepaired = textField(request.body, "repair") === "1";
    return backTo(reply, await beginAgain(web.harmonizer, h, { isRepaired }));
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    return backTo(reply, h.id, { kind: "warning", message: error.message });
  }
};

export const deleteIt: Act = async (web, _request, reply, { h }) => {
  await deleteHarmonization(web.harmonizer, h.id);
  return goTo(reply, "/harmonizations", {
    kind: "success",
    message: t("“{name}” is deleted. Nothing changes in the directory.", { name: h.name }),
  });
};

/** `shared` is 1 or empty. */
export const share: Act = async (web, request, reply, { h }) => {
  const isShared = textField(request.body, "shared") === "1";
  await web.prisma.harmonization.updateMany({ where: { id: h.id }, data: { isShared } });
  const message = isShared
    ? t("Everyone here can now review and download this file.")
    : t("Now only you can see this file.");
  return backTo(reply, h.id, { kind: "success", message });
};

/** `name`; an empty one changes nothing. */
export const rename: Act = async (web, request, reply, { h }) => {
  const name = readName(request.body);
  if (name) await web.prisma.harmonization.updateMany({ where: { id: h.id }, data: { name } });
  return backTo(reply, h.id, renamedTo(name));
};
