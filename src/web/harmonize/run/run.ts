import type { FastifyReply } from "fastify";
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
import { textField } from "../../../http/forms.ts";
import { goTo } from "../../../http/notice.ts";
import type { Handler } from "../../../http/routes.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import type { Seen } from "../base/guards.ts";
import { backTo, renamedTo } from "../base/notice.ts";
import { readName } from "../draft/form.ts";

/** Somebody else was first, or it was a second click. */
const NOT_BEGUN = "Nothing was begun: it runs already, something else runs, or there is nothing left to do.";

/*
 * `POST /harmonizations/:id/…`: what its owner can do with a harmonization as it stands, and what the page says then. All
 * may be sent twice, and again.
 */
type Act = Handler<Web, Seen>;

export const pause: Act = ({ harmonizer }, _request, reply, { found }) =>
  done(reply, found, pauseHarmonization(harmonizer, found.id));

export const resume: Act = ({ harmonizer }, _request, reply, { found }) =>
  done(reply, found, resumeHarmonization(harmonizer, found.id));

export const cancel: Act = ({ harmonizer }, _request, reply, { found }) =>
  done(reply, found, cancelHarmonization(harmonizer, found.id), {
    said: "It is cancelled. What was done by then is kept.",
  });

export const retry: Act = ({ harmonizer }, _request, reply, { found }) =>
  done(reply, found, retryFailed(harmonizer, found.id), { begins: true });

export const confirmPositions: Act = ({ harmonizer }, _request, reply, { found }) =>
  done(reply, found, answerPositions(harmonizer, found, "right"), {
    said: "The positions are taken as they stand. What has no match can be added.",
  });

export const annotate: Act = ({ harmonizer }, _request, reply, { found, member }) =>
  done(reply, found, startAnnotating(harmonizer, found, member), { begins: true });

async function done(
  reply: FastifyReply,
  { id }: Harmonization,
  act: Promise<boolean>,
  { said = "", begins = false } = {},
) {
  const isDone = await act;
  if (!isDone && begins) return backTo(reply, id, { kind: "info", message: NOT_BEGUN });
  return backTo(reply, id, isDone && said ? { kind: "success", message: said } : undefined);
}

/** A new run of the same file, with `repair=1` one whose positions are put right. A draft is left as it is. */
export const again: Act = async (web, request, reply, { found }) => {
  if (found.state === "draft") return backTo(reply, found.id);
  try {
    const isRepaired = textField(request.body, "repair") === "1";
    return backTo(reply, await beginAgain(web.harmonizer, found, { isRepaired }));
  } catch (error) {
    if (!(error instanceof KnownError) || error.status >= 500) throw error;
    return backTo(reply, found.id, { kind: "warning", message: error.message });
  }
};

export const deleteIt: Act = async (web, _request, reply, { found }) => {
  await deleteHarmonization(web.harmonizer, found.id);
  return goTo(reply, "/harmonizations", {
    kind: "success",
    message: `“${found.name}” is deleted. What is in the directory stays there.`,
  });
};

/** `shared` is 1 or empty: says how it is to be, so that twice is the same as once. */
export const share: Act = async (web, request, reply, { found }) => {
  const isShared = textField(request.body, "shared") === "1";
  await web.prisma.harmonization.updateMany({ where: { id: found.id }, data: { isShared } });
  const message = isShared ? "Everybody here may now review and export it." : "Only you see it now.";
  return backTo(reply, found.id, { kind: "success", message });
};

/** `name`. An empty one changes nothing. */
export const rename: Act = async (web, request, reply, { found }) => {
  const name = readName(request.body);
  if (name) await web.prisma.harmonization.updateMany({ where: { id: found.id }, data: { name } });
  return backTo(reply, found.id, renamedTo(name));
};
