import type { FastifyInstance } from "fastify";
import { startAnnotating } from "../../../harmonize/annotate/annotate-listings.ts";
import { beginAgain } from "../../../harmonize/file/begin-again.ts";
import { answerPositions } from "../../../harmonize/positions/answer.ts";
import { deleteHarmonization } from "../../../harmonize/run/deletion.ts";
import {
  cancelHarmonization,
  pauseHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../../harmonize/run/harmonizations.ts";
import { textField } from "../../../http/forms.ts";
import { goTo } from "../../../http/notice.ts";
import { KnownError } from "../../../shared/errors.ts";
import type { Web } from "../../base/deps.ts";
import { registerAddMany } from "../add/add-all.ts";
import { readName } from "../draft/form.ts";
import { registerCuts } from "../results/change-cuts.ts";
import { backTo, renamedTo } from "./notice.ts";
import { type Owned, ownersOnly } from "./owner.ts";

/** Somebody else was first, or it was a second click. */
const NOT_BEGUN = "Nothing was begun: it runs already, something else runs, or there is nothing left to do.";

type Act = (web: Web, owned: Owned) => Promise<boolean>;

/** What its owner can do with a harmonization as it stands, by the end of its address, and what the page says then. */
const VERBS: Record<string, { act: Act; said: string; begins?: boolean }> = {
  pause: { act: ({ harmonizer }, { found }) => pauseHarmonization(harmonizer, found.id), said: "" },
  resume: { act: ({ harmonizer }, { found }) => resumeHarmonization(harmonizer, found.id), said: "" },
  cancel: {
    act: ({ harmonizer }, { found }) => cancelHarmonization(harmonizer, found.id),
    said: "It is cancelled. What was done by then is kept.",
  },
  retry: { act: ({ harmonizer }, { found }) => retryFailed(harmonizer, found.id), said: "", begins: true },
  positions: {
    act: ({ harmonizer }, { found }) => answerPositions(harmonizer, found, "right"),
    said: "The positions are taken as they stand. What has no match can be added.",
  },
  annotate: {
    act: ({ harmonizer }, { found, member }) => startAnnotating(harmonizer, found, member),
    said: "",
    begins: true,
  },
};

/**
 * POST /harmonizations/:id/…: pause, resume, cancel, retry, positions, annotate, share, rename, delete, cuts and add, all of which
 * may be sent twice, and again.
 */
export function registerRun(app: FastifyInstance, web: Web): void {
  for (const [name, { act, said, begins }] of Object.entries(VERBS)) {
    const handler = ownersOnly(web, async (_request, reply, owned) => {
      const isDone = await act(web, owned);
      if (!isDone && begins) return backTo(reply, owned.found.id, { kind: "info", message: NOT_BEGUN });
      return backTo(reply, owned.found.id, isDone && said ? { kind: "success", message: said } : undefined);
    });
    app.post(`/harmonizations/:id/${name}`, handler);
  }
  registerAgain(app, web);
  registerDeletion(app, web);
  registerSharing(app, web);
  registerNaming(app, web);
  registerCuts(app, web);
  registerAddMany(app, web);
}

/** A new run of the same file, with `repair=1` one whose positions are put right. A draft is left as it is. */
function registerAgain(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (request, reply, { found }) => {
    if (found.state === "draft") return backTo(reply, found.id);
    try {
      const isRepaired = textField(request.body, "repair") === "1";
      return backTo(reply, await beginAgain(web.harmonizer, found, { isRepaired }));
    } catch (error) {
      if (!(error instanceof KnownError) || error.status >= 500) throw error;
      return backTo(reply, found.id, { kind: "warning", message: error.message });
    }
  });
  app.post("/harmonizations/:id/again", handler);
}

function registerDeletion(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (_request, reply, { found }) => {
    await deleteHarmonization(web.harmonizer, found.id);
    return goTo(reply, "/harmonizations", {
      kind: "success",
      message: `“${found.name}” is deleted. What is in the directory stays there.`,
    });
  });
  app.post("/harmonizations/:id/delete", handler);
}

/** `shared` is 1 or empty: says how it is to be, so that twice is the same as once. */
function registerSharing(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (request, reply, { found }) => {
    const isShared = textField(request.body, "shared") === "1";
    await web.prisma.harmonization.updateMany({ where: { id: found.id }, data: { isShared } });
    const message = isShared ? "Everybody here may now review and export it." : "Only you see it now.";
    return backTo(reply, found.id, { kind: "success", message });
  });
  app.post("/harmonizations/:id/share", handler);
}

/** `name`. An empty one changes nothing. */
function registerNaming(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (request, reply, { found }) => {
    const name = readName(request.body);
    if (name) await web.prisma.harmonization.updateMany({ where: { id: found.id }, data: { name } });
    return backTo(reply, found.id, renamedTo(name));
  });
  app.post("/harmonizations/:id/rename", handler);
}
