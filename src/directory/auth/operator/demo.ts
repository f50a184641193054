import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { csrfToken, goTo, takeNotice, textField } from "../../../http/pages/forms.ts";
import { sendView } from "../../../http/pages/views.ts";
import { t } from "../../../language/translate.ts";
import { countSample, DEMO_PAGE, removeSample, sampleState } from "../../sample/remove.ts";
import { DEMO_HANDLE, findUser } from "../../users.ts";
import type { AuthDeps, Own, SignedInUser } from "../base/session.ts";

/** The removal usually takes less; if not, it continues without the page. */
const WAIT_MS = 8000;

/** `GET /operator/demo`: what is demo data, and what a removal would take. */
export async function showDemo(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const state = await sampleState(deps.pool);
  return sendView(reply, "directory/operator/demo", {
    title: t("Demo data"),
    user,
    state,
    counts: await countSample(deps),
    refusal: await refusalOf(deps, user),
    notice: takeNotice(request),
    csrf: csrfToken(reply),
    path: DEMO_PAGE,
  });
}

/** `POST /operator/demo` (`confirm`): removes the demo data for good. */
export async function removeDemo(deps: AuthDeps, request: FastifyRequest, reply: FastifyReply, { user }: Own) {
  const refusal = await whyNot(deps, request, user);
  if (refusal) return goTo(reply, DEMO_PAGE, { kind: "warning", heading: t("Nothing was removed."), message: refusal });
  request.log.info({ operator: user.id }, "an operator removes the demo data");
  const removal = removeSample(deps, user.id);
  removal.catch((err: unknown) => deps.log.warn({ err }, "the removal of the demo data was interrupted"));
  const isDone = await Promise.race([removal.then(() => true), sleep(WAIT_MS, false, { ref: false })]);
  return goTo(reply, DEMO_PAGE, isDone ? { kind: "success", message: t("The demo data is removed.") } : undefined);
}

async function whyNot(deps: AuthDeps, { body }: FastifyRequest, user: SignedInUser): Promise<string | undefined> {
  const state = await sampleState(deps.pool);
  if (state !== "there" && state !== "going") return t("There is no demo data to remove.");
  if (textField(body, "confirm") !== "1") return t("Tick the box to confirm the removal.");
  return refusalOf(deps, user);
}

/** Somebody must be left who can operate the directory and the web app. */
async function refusalOf({ prisma, config }: AuthDeps, user: SignedInUser): Promise<string | undefined> {
  if (user.handle === DEMO_HANDLE)
    return t(
      "You are logged in with the demo account, which the removal disables. First create your own account, put its username into OPERATORS and ADMINS, restart Samespot, and log in here with it.",
    );
  const demo = await findUser({ prisma }, DEMO_HANDLE);
  const others = config.admins.filter((name) => ![DEMO_HANDLE, demo?.id].includes(name.toLowerCase()));
  if (others.length === config.admins.length) return undefined;
  const named = { OR: [{ id: { in: others } }, { handle: { in: others.map((name) => name.toLowerCase()) } }] };
  if (await prisma.user.count({ where: { disabledAt: null, ...named } })) return undefined;
  return t(
    "The demo account is the only admin of the web app. Put the username of your own account into ADMINS and restart Samespot.",
  );
}
