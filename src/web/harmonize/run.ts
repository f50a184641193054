import type { FastifyInstance } from "fastify";
import { startAnnotating } from "../../harmonize/annotate-listings.ts";
import {
  cancelHarmonization,
  deleteHarmonization,
  pauseHarmonization,
  resumeHarmonization,
  retryFailed,
} from "../../harmonize/harmonizations.ts";
import { textField } from "../../http/forms.ts";
import type { Web } from "../deps.ts";
import { registerAddMany } from "./run-add.ts";
import { registerCuts } from "./run-cuts.ts";
import { backTo } from "./run-notice.ts";
import { type Owned, ownersOnly } from "./run-owner.ts";

type Act = (web: Web, owned: Owned) => Promise<boolean>;

/** What its owner can do with a harmonization as it stands, by the end of its address, and what the page says then. */
const VERBS: Record<string, { act: Act; said: string }> = {
  pause: { act: ({ harmonizer }, { found }) => pauseHarmonization(harmonizer, found.id), said: "" },
  resume: { act: ({ harmonizer }, { found }) => resumeHarmonization(harmonizer, found.id), said: "" },
  cancel: {
    act: ({ harmonizer }, { found }) => cancelHarmonization(harmonizer, found.id),
    said: "It is cancelled. What was done by then is kept.",
  },
  retry: { act: ({ harmonizer }, { found }) => retryFailed(harmonizer, found.id), said: "" },
  annotate: { act: ({ harmonizer }, { found, member }) => startAnnotating(harmonizer, found, member), said: "" },
};

/** POST /harmonizations/:id/…: pause, resume, cancel, retry, annotate, share, rename, delete, cuts and add. Twice does no harm. */
export function registerRun(app: FastifyInstance, web: Web): void {
  for (const [name, { act, said }] of Object.entries(VERBS)) {
    const handler = ownersOnly(web, async (_request, reply, owned) => {
      const isDone = await act(web, owned);
      return backTo(reply, owned.found.id, isDone && said ? { kind: "success", message: said } : undefined);
    });
    app.post(`/harmonizations/:id/${name}`, handler);
  }
  registerDeletion(app, web);
  registerSharing(app, web);
  registerNaming(app, web);
  registerCuts(app, web);
  registerAddMany(app, web);
}

function registerDeletion(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (_request, reply, { found }) => {
    await deleteHarmonization(web.harmonizer, found.id);
    return reply.redirect("/harmonizations", 303);
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

const LONGEST_NAME = 200;

/** `name`, without control characters. An empty one changes nothing. */
function registerNaming(app: FastifyInstance, web: Web): void {
  const handler = ownersOnly(web, async (request, reply, { found }) => {
    const typed = textField(request.body, "name")
      .toWellFormed()
      .replace(/\p{C}+/gu, " ")
      .trim();
    const name = typed.slice(0, LONGEST_NAME).toWellFormed();
    if (!name) return backTo(reply, found.id, { kind: "warning", message: "It keeps its name: none was given." });
    await web.prisma.harmonization.updateMany({ where: { id: found.id }, data: { name } });
    return backTo(reply, found.id, { kind: "success", message: `It is called ${name} now.` });
  });
  app.post("/harmonizations/:id/rename", handler);
}
