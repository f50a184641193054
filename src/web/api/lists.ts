import { z } from "zod";
import { isOwner, roleOn } from "../../harmonize/run/harmonizations.ts";
import { type ListPerson, peopleOf } from "../../harmonize/run/lists.ts";
import {
  type Delivery,
  findWebhook,
  lastDeliveries,
  MOST_DELIVERIES,
  removeWebhook,
  sendAgain,
  setWebhook,
} from "../../harmonize/webhook/webhook.ts";
import { notFound } from "../../shared/errors.ts";
import type { Web } from "../base/deps.ts";
import { changePerson, ROLES_TO_GIVE } from "../harmonize/base/people.ts";
import { fileEndpoint, ownerEndpoint } from "./endpoint.ts";

const time = z.iso.datetime();
const role = z.enum(["viewer", "reviewer", "owner"]);

const list = z.object({
  id: z.uuid(),
  name: z.string(),
  role: role.meta({ description: "Of the token's person." }),
  people: z
    .array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        handle: z.string().nullable(),
        role,
        is_gone: z
          .boolean()
          .meta({ description: "Disabled, or not connected to the directory: no work goes on by them." }),
      }),
    )
    .nullable()
    .meta({ description: "Null for somebody with whom only the file is shared." }),
});

type FileCall = Parameters<Parameters<typeof fileEndpoint>[1]>[0];

async function listView({ web, member, h }: FileCall): Promise<z.output<typeof list>> {
  const isOn = isOwner(h, member) || h.list.people.some(({ accountId }) => accountId === member.id);
  const people = isOn ? await peopleOf(web.pool, h.listId) : null;
  return {
    id: h.listId,
    name: h.list.name,
    role: roleOn(h, member) ?? "viewer",
    people: people?.map(personView) ?? null,
  };
}

const personView = ({ accountId: id, isGone, ...each }: ListPerson) => ({ id, ...each, is_gone: isGone });

export const readList = fileEndpoint(
  {
    name: "readList",
    method: "GET",
    path: "/api/v1/files/:id/list",
    scope: "read",
    summary: "Shows the list of a file: what all its editions have in common, and its people",
    answer: list,
  },
  (call) => listView(call),
);

export const renameList = ownerEndpoint(
  {
    name: "renameList",
    method: "POST",
    path: "/api/v1/files/:id/list",
    scope: "decide",
    summary: "Renames the list of a file",
    body: z.object({ name: z.string().trim().min(1).max(200) }),
    answer: list,
  },
  async (call) => {
    const { name } = call.body;
    await call.web.prisma.list.updateMany({ where: { id: call.h.listId }, data: { name } });
    return listView({ ...call, h: { ...call.h, list: { ...call.h.list, name } } });
  },
);

export const changePersonOfList = ownerEndpoint(
  {
    name: "changePerson",
    method: "POST",
    path: "/api/v1/files/:id/people",
    scope: "decide",
    summary: "Says what somebody may do with the list of a file; `none` takes them from it",
    body: z.object({
      person: z.string().min(1).max(200).meta({
        description: "The id of somebody on the list, or the handle or full name of anybody who has logged in here.",
      }),
      role: z.enum(ROLES_TO_GIVE),
    }),
    answer: z.object({ people: list.shape.people.unwrap() }),
  },
  async (call) => {
    const { person, role: given } = call.body;
    await changePerson(call.web, call, { who: person, role: given });
    const people = await peopleOf(call.web.pool, call.h.listId);
    return { people: people.map(personView) };
  },
);

const webhook = z.object({
  url: z.url(),
  set_by: z.string(),
  set_at: time,
  has_left: z
    .boolean()
    .meta({ description: "Who has set it is no longer an owner. It goes on: look whose address it is." }),
  has_ended: z.boolean().meta({ description: "Nobody owns the list any more: nothing is sent." }),
  deliveries: z
    .array(
      z.object({
        id: z.uuid().meta({ description: "The `webhook-id` of each of its tries." }),
        event: z.enum(["finished", "failed", "review", "test"]),
        about: z.string(),
        file_id: z.uuid(),
        created_at: time,
        tries: z.int(),
        tried_at: time.nullable(),
        next_at: time.nullable().meta({ description: "Null once it has arrived or is given up." }),
        delivered_at: time.nullable(),
        answered: z.int().nullable().meta({ description: "Status of the last answer." }),
        problem: z.enum(["address_refused", "no_answer", "answered", "no_owner", "no_secret"]).nullable(),
      }),
    )
    .meta({ description: `The last ${MOST_DELIVERIES}, the latest first.` }),
});

const deliveryView = (each: Delivery): z.output<typeof webhook>["deliveries"][number] => ({
  id: each.id,
  event: each.event,
  about: each.about,
  file_id: each.file.id,
  tries: each.tries,
  created_at: each.createdAt.toISOString(),
  tried_at: each.triedAt?.toISOString() ?? null,
  next_at: each.nextAt?.toISOString() ?? null,
  delivered_at: each.deliveredAt?.toISOString() ?? null,
  answered: each.answered,
  problem: each.problem,
});

/** @throws KnownError 404 for a list without one */
async function webhookView({ pool, harmonizer }: Web, found: FileCall["h"]): Promise<z.output<typeof webhook>> {
  const [set, deliveries] = await Promise.all([
    findWebhook(harmonizer, found),
    lastDeliveries(pool, found, MOST_DELIVERIES),
  ]);
  if (!set) throw notFound("This list has no webhook.");
  return {
    url: set.url,
    set_by: set.setBy,
    set_at: set.setAt.toISOString(),
    has_left: set.hasLeft,
    has_ended: set.hasEnded,
    deliveries: deliveries.map(deliveryView),
  };
}

export const readWebhook = ownerEndpoint(
  {
    name: "readWebhook",
    method: "GET",
    path: "/api/v1/files/:id/webhook",
    scope: "read",
    summary: "Shows the webhook of a file's list, and its last deliveries",
    answer: webhook,
  },
  ({ web, h }) => webhookView(web, h),
);

export const setWebhookOfList = ownerEndpoint(
  {
    name: "setWebhook",
    method: "POST",
    path: "/api/v1/files/:id/webhook",
    scope: "decide",
    summary: "Sets the webhook of a file's list, with a new secret, and sends a test",
    description:
      "The secret is in this answer only. Sent again with its Idempotency-Key, the call sets the webhook anew: no answer with a secret is kept.",
    body: z.object({ url: z.string().max(1000).meta({ description: "It begins with `https://`." }) }),
    answer: webhook.extend({ secret: z.string().meta({ description: "`whsec_` and the key in base64." }) }),
    status: 201,
  },
  async ({ web, member, h, body, reply }) => {
    const secret = await setWebhook(web.harmonizer, h, { accountId: member.id, url: body.url });
    return reply.code(201).send({ ...(await webhookView(web, h)), secret });
  },
);

export const removeWebhookOfList = ownerEndpoint(
  {
    name: "removeWebhook",
    method: "DELETE",
    path: "/api/v1/files/:id/webhook",
    scope: "decide",
    summary: "Removes the webhook of a file's list, and what was to be sent",
    answer: z.object({ removed: z.literal(true) }),
  },
  async ({ web, h }) => {
    if (!(await removeWebhook(web.pool, h))) throw notFound("This list has no webhook.");
    return { removed: true };
  },
);

export const sendDeliveryAgain = ownerEndpoint(
  {
    name: "sendAgain",
    method: "POST",
    path: "/api/v1/files/:id/webhook/again",
    scope: "decide",
    summary: "Sends a delivery once more, with its id",
    body: z.object({ delivery: z.uuid() }),
    answer: webhook,
    status: 202,
  },
  async ({ web, h, body }) => {
    if (!(await sendAgain(web.harmonizer, h, body.delivery))) throw notFound("There is no such delivery.");
    return webhookView(web, h);
  },
);
