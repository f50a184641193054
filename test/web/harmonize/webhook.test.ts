import { expect, test } from "vitest";
import { deliverDue } from "../../../src/harmonize/webhook/deliver.ts";
import { setWebhook } from "../../../src/harmonize/webhook/webhook.ts";
import { testWebhooks } from "../../harmonize/harmonizer.ts";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { startReceiver } from "../../support/receiver.ts";
import { programOf, tokenOf } from "../api/programs.ts";
import { startRuns } from "./runs.ts";

const { web, fay, owner } = await startRuns({ env: { PRIVATE_WEBHOOKS: "on" } });
const { prisma, pool } = web.database;
const receiver = await startReceiver();
const calls = new AbortController().signal;
const directory = web.config.api.url;
const program = programOf(web, await tokenOf(web, owner));

test("an owner sets a webhook on its page, sees its secret once and what was sent, sends it again, and removes it", async () => {
  const h = await makeHarmonization(web.database, owner, [{ name: "One" }], { directory });
  const path = `/harmonizations/${h.id}/webhook`;
  expect((await fay.get(`/harmonizations/${h.id}/people`)).body).toContain(`href="${path}"`);
  const wrong = await fay.submit(await fay.get(path), path, { url: "nowhere" });
  expect([wrong.status, wrong.body.includes("begins with https://")]).toEqual([400, true]);
  const set = await fay.submit(await fay.get(path), path, { url: receiver.url });
  const [secret = ""] = /whsec_[\w+/=]{44}/.exec(set.body) ?? [];
  expect(secret).not.toBe("");
  const log = await fay.get(path);
  expect([log.body.includes(secret), log.body.includes("Test"), log.body.includes("On its way")]).toEqual([
    false,
    true,
    true,
  ]);
  const webhooks = { ...testWebhooks(), vault: { open: () => secret, seal: () => new Uint8Array(8) } };
  await deliverDue({ pool, webhooks }, h, { calls });
  const arrived = await fay.get(path);
  expect(arrived.body).toContain("Arrived");
  const [{ id } = { id: "" }] = await prisma.webhookDelivery.findMany({ where: { listId: h.listId } });
  const again = await fay.follow(await fay.submit(arrived, path, { again: id }));
  expect(again.body).toContain("sent again in a moment");
  await deliverDue({ pool, webhooks }, h, { calls });
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
  await prisma.listPerson.updateMany({ where: { listId: h.listId }, data: { role: "viewer" } });
  expect((await fay.get(path)).status).toBe(404);
  await prisma.listPerson.updateMany({ where: { listId: h.listId }, data: { role: "owner" } });
  const removed = await fay.follow(await fay.submit(arrived, path, { remove: "1" }));
  expect(removed.body).toContain("The webhook is removed.");
  expect(await prisma.webhook.count({ where: { listId: h.listId } })).toBe(0);
});

test("W136: by the API the secret is in one answer only, also with an Idempotency-Key, and stands readable in no table and no log", async () => {
  const h = await makeHarmonization(web.database, owner, [{ name: "One" }], { directory });
  const at = `/files/${h.id}/webhook`;
  const key = { "idempotency-key": "webhook-1" };
  expect((await program("GET", at)).status).toBe(404);
  const answers = [
    await program("POST", at, { url: receiver.url }, key),
    await program("POST", at, { url: receiver.url }, key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const secrets = answers.map(({ body }) => body.secret as string);
  expect(new Set(secrets).size).toBe(2);
  const read = await program("GET", at);
  expect(read.body).toMatchObject({
    url: receiver.url,
    set_by: "Fay",
    has_left: false,
    has_ended: false,
    deliveries: [{ event: "test" }, { event: "test" }],
  });
  const tables = await prisma.$queryRaw<{ text: string }[]>`
    SELECT concat((SELECT string_agg(c::text, ' ') FROM app.api_call c), (SELECT string_agg(w::text, ' ') FROM app.webhook w),
                  (SELECT string_agg(d::text, ' ') FROM app.webhook_delivery d)) AS text`;
  for (const secret of secrets) {
    expect(read.text + tables[0]?.text + web.logs.text()).not.toContain(secret);
    expect(tables[0]?.text).not.toContain(Buffer.from(secret).toString("hex"));
  }
  expect((await program("DELETE", at)).body).toEqual({ removed: true });
  expect((await program("DELETE", at)).status).toBe(404);
});

test("W136: nobody sends again, by page or API, what another list was told", async () => {
  const [mine, others] = [
    await makeHarmonization(web.database, owner, [], { directory }),
    await makeHarmonization(web.database, owner, [], { directory }),
  ];
  for (const h of [mine, others])
    await setWebhook({ pool, queue: { send: async () => {} } as never, webhooks: testWebhooks() }, h, {
      accountId: owner,
      url: receiver.url,
    });
  const { id } = await prisma.webhookDelivery.findFirstOrThrow({ where: { listId: others.listId } });
  await prisma.webhookDelivery.update({ where: { id }, data: { nextAt: null } });
  const path = `/harmonizations/${mine.id}/webhook`;
  const page = await fay.follow(await fay.submit(await fay.get(path), path, { again: id }));
  expect(page.body).toContain("There is no such delivery any more.");
  expect((await program("POST", `/files/${mine.id}/webhook/again`, { delivery: id })).status).toBe(404);
  expect((await prisma.webhookDelivery.findUniqueOrThrow({ where: { id } })).nextAt).toBeNull();
});

test("people and the name of a list are changed by the API as on its page", async () => {
  const h = await makeHarmonization(web.database, owner, [], { directory });
  const at = `/files/${h.id}`;
  expect((await program("POST", `${at}/list`, { name: " Shops of Ours " })).body).toMatchObject({
    name: "Shops of Ours",
    role: "owner",
  });
  const added = await program("POST", `${at}/people`, { person: "gus", role: "reviewer" });
  expect(added.body.people.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
    ["Fay", "owner"],
    ["Gus", "reviewer"],
  ]);
  const gus = added.body.people[1].id;
  expect((await programOf(web, await tokenOf(web, gus))("GET", `${at}/list`)).body.role).toBe("reviewer");
  expect((await program("POST", `${at}/people`, { person: "nobody", role: "viewer" })).status).toBe(400);
  expect((await program("POST", `${at}/people`, { person: owner, role: "none" })).status).toBe(409);
  expect((await program("POST", `${at}/people`, { person: gus, role: "none" })).body.people).toHaveLength(1);
  expect((await programOf(web, await tokenOf(web, gus))("GET", `${at}/list`)).status).toBe(404);
});
