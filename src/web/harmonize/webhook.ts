import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type Delivery,
  type Failure,
  findWebhook,
  lastDeliveries,
  MOST_DELIVERIES,
  removeWebhook,
  sendAgain,
  setWebhook,
} from "../../harmonize/webhook/webhook.ts";
import { goTo, textField } from "../../http/pages/forms.ts";
import { shownTime } from "../../http/pages/times.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { sendPage } from "../base/page.ts";
import { harmonizationOf, type Seen } from "./base/guards.ts";

export const webhookOf = (request: FastifyRequest): string => `${harmonizationOf(request)}/webhook`;

/** `GET /harmonizations/:id/webhook`: where a program is told what becomes of the files of the list, and what it was told. */
export const showWebhook = (web: Web, _request: FastifyRequest, reply: FastifyReply, seen: Seen) =>
  sendWebhook(web, reply, seen, {});

/** `POST /harmonizations/:id/webhook`: sets it to `url` and shows its secret once; with `remove` takes it away, with `again` repeats a delivery. */
export async function changeWebhook(web: Web, request: FastifyRequest, reply: FastifyReply, seen: Seen) {
  const { h, member } = seen;
  const page = `/harmonizations/${h.id}/webhook`;
  const { data: again } = z.uuid().safeParse(textField(request.body, "again"));
  if (again) {
    const isSent = await sendAgain(web.harmonizer, h, again);
    const message = isSent ? t("It will be sent again in a moment.") : t("There is no such delivery any more.");
    return goTo(reply, page, { kind: isSent ? "success" : "info", message });
  }
  if (textField(request.body, "remove") === "1") {
    await removeWebhook(web.pool, h);
    return goTo(reply, page, { kind: "success", message: t("The webhook is removed.") });
  }
  const url = textField(request.body, "url");
  try {
    const made = await setWebhook(web.harmonizer, h, { accountId: member.id, url });
    return sendWebhook(web, reply, seen, { made });
  } catch (error) {
    if (!(error instanceof KnownError) || error.status !== 400) throw error;
    const errors = [{ field: "url", message: error.message }];
    return sendWebhook(web, reply.code(400), seen, { errors, typed: url });
  }
}

interface Shown {
  /** The new secret, shown once. */
  made?: string;
  errors?: { field: string; message: string }[];
  typed?: string;
}

async function sendWebhook(web: Web, reply: FastifyReply, { member, h }: Seen, { made, errors = [], typed }: Shown) {
  const [webhook, deliveries] = await Promise.all([
    findWebhook(web.harmonizer, h),
    lastDeliveries(web.pool, h, MOST_DELIVERIES),
  ]);
  return sendPage(reply, member, "harmonize/webhook", {
    title: t("Webhook of {name}", { name: h.list.name }),
    file: { name: h.name, href: `/harmonizations/${h.id}` },
    list: h.list.name,
    made,
    errors,
    url: typed ?? webhook?.url ?? "",
    isSet: webhook !== undefined,
    leftBy: webhook?.hasLeft ? webhook.setBy || t("somebody") : undefined,
    hasEnded: webhook?.hasEnded ?? false,
    deliveries: deliveries.map(deliveryView),
  });
}

function deliveryView(each: Delivery) {
  const { id, file, createdAt, tries, triedAt, nextAt } = each;
  return {
    id,
    tries,
    file: { name: file.name, href: `/harmonizations/${file.id}` },
    what: eventInWords(each),
    at: shownTime(createdAt),
    end: endInWords(each),
    tone: each.deliveredAt ? " chip-success" : each.problem || (tries > 0 && !nextAt) ? " chip-warning" : "",
    triedAt: triedAt ? shownTime(triedAt) : undefined,
    nextAt: nextAt && tries > 0 ? shownTime(nextAt) : undefined,
  };
}
export type DeliveryView = ReturnType<typeof deliveryView>;

function eventInWords({ event }: Delivery): string {
  switch (event) {
    case "finished":
      return t("Finished");
    case "failed":
      return t("Stalled");
    case "review":
      return t("Rows to review");
    case "test":
      return t("Test");
  }
}

function endInWords({ deliveredAt, answered, problem, tries, nextAt }: Delivery): string {
  if (deliveredAt) return t("Arrived");
  if (problem === "answered") return t("Answered {status}", { status: String(answered) });
  if (problem) return failureInWords(problem);
  return tries > 0 && nextAt === null ? t("Given up") : t("On its way");
}

function failureInWords(failure: Exclude<Failure, "answered">): string {
  switch (failure) {
    case "address_refused":
      return t("Not sent: this address is in a network that may not be called from here");
    case "no_answer":
      return t("No answer");
    case "no_owner":
      return t("Not sent: nobody owns this list any more");
    case "no_secret":
      return t("Not sent: the secret can no longer be read. Set up the webhook again");
  }
}
