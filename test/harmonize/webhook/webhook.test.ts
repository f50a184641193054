import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createOutbound } from "../../../src/directory-client/calls/outbound.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { changeState, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { sendNext } from "../../../src/harmonize/run/next-tasks.ts";
import { BACK_OFF, deliverDue } from "../../../src/harmonize/webhook/deliver.ts";
import { findWebhook, lastDeliveries, sendAgain, setWebhook } from "../../../src/harmonize/webhook/webhook.ts";
import { createVault } from "../../../src/shared/crypto.ts";
import { startReceiver } from "../../support/receiver.ts";
import { startHarmonizer } from "../harmonizer.ts";
import { type MadeListing, makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database, deps, url: databaseUrl } = await startHarmonizer();
const { prisma, pool } = database;
const receiver = await startReceiver();
const other = await startReceiver();
const directory = deps.directoryUrl;
const calls = new AbortController().signal;
const ada = await makeAccount(database, "Ada", directory);

afterEach(async () => {
  receiver.received.length = 0;
  receiver.state.answer = (_request, reply) => void reply.writeHead(204).end();
  await prisma.list.updateMany({ data: { name: "shops.csv" } });
});

const ROWS: MadeListing[] = [{ name: "Doubtful", candidates: [makeCandidate("v1", 0.5)] }, { name: "Unknown Ltd" }];

/** A file whose list has a webhook at `url`, the test that is sent with it left out. */
async function watched(url = receiver.url, more: Partial<Parameters<typeof makeHarmonization>[3]> = {}) {
  const h = await makeHarmonization(database, ada, ROWS, { directory, ...more });
  const secret = await setWebhook(deps, h, { accountId: ada, url });
  await prisma.webhookDelivery.deleteMany({ where: { listId: h.listId } });
  return { h, secret };
}

/** Something happens to the file of which one delivery tells. */
async function happen({ id }: Pick<Harmonization, "id">) {
  await prisma.harmonization.update({ where: { id }, data: { state: "adding", task: { kind: "add" } } });
  await prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
}

/** The file ends its matching. */
async function finish({ id }: Pick<Harmonization, "id">) {
  await prisma.harmonization.update({ where: { id }, data: { state: "matching" } });
  await prisma.harmonization.update({ where: { id }, data: { state: "ready" } });
}

async function deliver(h: Harmonization, by: Harmonizer = deps) {
  const now = await loadHarmonization(by, h.id);
  if (now) await deliverDue(by, now, { calls });
}

const log = (h: Harmonization) => lastDeliveries(pool, h, 50);
/** Makes what waits for its next try due. */
const passTime = (h: Harmonization) =>
  prisma.webhookDelivery.updateMany({
    where: { listId: h.listId, nextAt: { not: null } },
    data: { nextAt: new Date() },
  });

describe("what is told", () => {
  test("that a file is finished and has rows to review, with counts and links and nothing of its rows", async () => {
    const { h } = await watched();
    await finish(h);
    await deliver(h);
    const [finished, review] = receiver.received.map(({ body }) => JSON.parse(body));
    expect(finished).toMatchObject({
      type: "file.finished",
      data: {
        list: { id: h.listId, name: "shops.csv" },
        file: { id: h.id, name: "shops.csv", state: "ready", rows: 2 },
        work: "match",
        counts: { matched: 0, review: 1, none: 1, failed: 0, pending: 0 },
        links: { file: `https://samespot.example/api/v1/files/${h.id}` },
      },
    });
    expect(review).toMatchObject({
      type: "file.review",
      data: { links: { page: expect.stringMatching(/\/review$/) } },
    });
    for (const { body } of receiver.received) {
      expect(body.length).toBeLessThan(1000);
      expect(body).not.toMatch(/Doubtful|Unknown|Main Street|own-1|venue/i);
    }
    expect((await log(h)).map(({ event, answered, nextAt }) => [event, answered, nextAt])).toEqual([
      ["review", 204, null],
      ["finished", 204, null],
    ]);
  });

  test("not that rows wait if none does, and nothing of a list without a webhook", async () => {
    const { h } = await watched();
    await prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { decision: "rejected" } });
    await finish(h);
    await finish(await makeHarmonization(database, ada, ROWS, { directory }));
    await deliver(h);
    expect((await log(h)).map(({ event }) => event)).toEqual(["finished"]);
    expect(
      await prisma.webhookDelivery.count({ where: { listId: { not: h.listId }, event: "finished", body: null } }),
    ).toBe(0);
  });

  test("W133: each thing that happens once, however many workers see it, whoever asks again, and whichever statement does it", async () => {
    const { h } = await watched();
    await prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { status: "asked" } });
    await prisma.harmonization.update({ where: { id: h.id }, data: { state: "matching" } });
    await Promise.all(Array.from({ length: 5 }, () => sendNext({ ...deps, databaseUrl }, h.id, "matching")));
    await prisma.harmonization.update({ where: { id: h.id }, data: { state: "adding", task: { kind: "add" } } });
    await changeState(deps, h.id, ["adding"], { state: "ready" });
    await prisma.harmonization.update({
      where: { id: h.id },
      data: { state: "annotating", task: { kind: "annotate", problem: {} } },
    });
    await changeState(deps, h.id, ["annotating"], { state: "ready" });
    await prisma.harmonization.update({ where: { id: h.id }, data: { state: "matching" } });
    for (let at = 0; at < 3; at += 1) {
      await prisma.harmonization.update({ where: { id: h.id }, data: { pausedFor: "application" } });
      await prisma.harmonization.update({ where: { id: h.id }, data: { pausedFor: null } });
    }
    await prisma.harmonization.update({ where: { id: h.id }, data: { pausedFor: "person" } });
    await prisma.harmonization.update({ where: { id: h.id }, data: { pausedFor: null, state: "reading" } });
    await prisma.harmonization.update({
      where: { id: h.id },
      data: { state: "draft", trial: { error: { code: "x" } } },
    });
    const told = (await log(h)).map(({ event, about }) => `${event} ${about}`);
    expect(told.toSorted()).toEqual(
      [
        "finished match",
        "review match",
        "finished add",
        "failed annotate",
        "failed application",
        "failed read",
      ].toSorted(),
    );
  });

  test("W133: a copy that becomes a draft, a cancelled file and one that a person has paused are told to nobody", async () => {
    const { h } = await watched(receiver.url, { state: "reading" });
    await changeState(deps, h.id, ["reading"], { state: "draft" });
    await changeState(deps, h.id, ["draft"], { state: "matching", pausedFor: "person" });
    await changeState(deps, h.id, ["matching"], { state: "cancelled", pausedFor: null });
    expect(await log(h)).toEqual([]);
  });
});

describe("how it arrives", () => {
  test("W133: a worker that dies in the middle of a call leaves it to be sent again, with its id and as it was", async () => {
    const { h } = await watched();
    await finish(h);
    const died = new AbortController();
    receiver.state.answer = () => died.abort();
    const now = await loadHarmonization(deps, h.id);
    if (now) await deliverDue(deps, now, { calls: died.signal });
    const [left] = (await log(h)).filter(({ event }) => event === "finished");
    expect(left).toMatchObject({ tries: 1, deliveredAt: null, problem: null, nextAt: expect.any(Date) });
    receiver.state.answer = (_request, reply) => void reply.writeHead(200).end("ok");
    await prisma.list.update({ where: { id: h.listId }, data: { name: "Renamed" } });
    await passTime(h);
    await deliver(h);
    const [first, again] = receiver.received.filter(({ headers }) => headers["webhook-id"] === left?.id);
    expect(again?.body).toBe(first?.body);
    expect((await log(h)).map(({ answered }) => answered)).toEqual([200, 200]);
  });

  test("W132: a dead, a failing, a silent and an endless receiver are waited for only so long", async () => {
    const answers: [string, typeof receiver.state.answer | "dead", object][] = [
      ["dead", "dead", { problem: "no_answer" }],
      ["failing", (_request, reply) => void reply.writeHead(500).end(), { problem: "answered", answered: 500 }],
      ["refusing", (_request, reply) => void reply.writeHead(400).end(), { problem: "answered", answered: 400 }],
      ["busy", (_request, reply) => void reply.writeHead(429).end(), { problem: "answered", answered: 429 }],
      ["silent", () => {}, { problem: "no_answer" }],
      ["dripping", (_request, reply) => void reply.write("x".repeat(100)), { answered: 200, problem: null }],
    ];
    for (const [name, answer, expected] of answers) {
      if (answer !== "dead") receiver.state.answer = answer;
      const { h } = await watched(answer === "dead" ? "http://127.0.0.1:9/" : receiver.url);
      await happen(h);
      const begun = performance.now();
      await deliver(h);
      expect(performance.now() - begun, name).toBeLessThan(2500);
      expect((await log(h))[0], name).toMatchObject(expected);
    }
  });

  test("W132: a receiver that is down is tried ever later, then given up, and sent to again when a person wants it", async () => {
    receiver.state.answer = (_request, reply) => void reply.writeHead(503).end();
    const { h } = await watched();
    await happen(h);
    const waits: number[] = [];
    for (let at = 0; at <= BACK_OFF.length; at += 1) {
      await deliver(h);
      const [{ nextAt, triedAt } = { nextAt: null, triedAt: null }] = await log(h);
      if (nextAt && triedAt) waits.push(Math.round((nextAt.getTime() - triedAt.getTime()) / 1000));
      await passTime(h);
    }
    expect(waits).toEqual(BACK_OFF);
    await deliver(h);
    expect((await log(h)).map(({ tries, nextAt }) => [tries, nextAt])).toEqual([[BACK_OFF.length + 1, null]]);
    receiver.state.answer = (_request, reply) => void reply.writeHead(204).end();
    const [given] = await log(h);
    expect(await sendAgain(deps, h, given?.id ?? "")).toBe(true);
    await deliver(h);
    expect((await log(h))[0]).toMatchObject({ id: given?.id, answered: 204, tries: 1, problem: null });
  });

  test("W132: one that says it is gone is not tried again", async () => {
    const { h } = await watched();
    receiver.state.answer = (_request, reply) => void reply.writeHead(410).end();
    await finish(h);
    await deliver(h);
    expect((await log(h)).map(({ nextAt, answered }) => [nextAt, answered])).toEqual([
      [null, 410],
      [null, 410],
    ]);
  });

  test("W130: a redirect is not followed, wherever it leads", async () => {
    for (const status of [301, 302, 307, 308]) {
      receiver.state.answer = (_request, reply) => void reply.writeHead(status, { location: other.url }).end();
      const { h } = await watched();
      await happen(h);
      await deliver(h);
      expect((await log(h))[0]).toMatchObject({ answered: status, problem: "answered", deliveredAt: null });
    }
    expect(other.received).toEqual([]);
  });

  test("W130: no address of this machine, a private network or a cloud's metadata is called, by number, name or DNS, unless the operator allows it", async () => {
    const lookup: LookupFunction = (name, _options, callback) => {
      const address = name.startsWith("nearby")
        ? "10.0.0.1"
        : name.startsWith("meta")
          ? "169.254.169.254"
          : "127.0.0.1";
      setImmediate(() => callback(null, [{ address, family: 4 }]));
    };
    const { port } = new URL(receiver.url);
    const hosts = [
      "127.0.0.1",
      "localhost",
      "hooks.test",
      "sub.localhost",
      "nearby.test",
      "meta.test",
      "10.0.0.1",
      "[::1]",
      "169.254.169.254",
      "2130706433",
    ];
    for (const allows of [false, true]) {
      const settings = { allowLoopback: allows, allowPrivate: allows, writtenBy: "people" } as const;
      const dispatcher = createOutbound({ ...settings, lookup });
      const by = { ...deps, webhooks: { ...deps.webhooks, line: { dispatcher, deadlineMs: 100 } } };
      const refused: string[] = [];
      for (const host of hosts) {
        const { h } = await watched(`http://${host}:${port}/hook`);
        await happen(h);
        await deliver(h, by);
        if ((await log(h))[0]?.problem === "address_refused") refused.push(host);
      }
      expect(refused).toEqual(allows ? ["meta.test", "169.254.169.254"] : hosts);
      if (!allows) expect(receiver.received).toEqual([]);
      else expect(receiver.received.length).toBeGreaterThan(0);
      await dispatcher.destroy();
    }
  });
});

test("W131: the receiver of docs/api.md takes each event once, and nothing that was changed, signed otherwise, or recorded and sent again", async () => {
  const [, sample = ""] = /```js\n(.*?)```/s.exec(readFileSync("docs/api.md", "utf8")) ?? [];
  const { readWebhook } = await import(`data:text/javascript,${encodeURIComponent(sample)}`);
  const { h, secret } = await watched();
  await happen(h);
  await deliver(h);
  const [{ headers, body } = { headers: {}, body: "" }] = receiver.received;
  const read = (changed: object, text = body, by = secret, seen = new Set()) =>
    readWebhook(by, { ...headers, ...changed }, text, seen);
  const seen = new Set();
  expect(read({}, body, secret, seen)).toMatchObject({ type: "file.finished", data: { work: "add" } });
  expect(read({}, body, secret, seen), "the same again").toBeUndefined();
  const at = Number(headers["webhook-timestamp"]);
  for (const wrong of [
    read({}, body.replace("finished", "failed")),
    read({}, body, `whsec_${Buffer.from("another").toString("base64")}`),
    ...[at - 301, at + 1, "", "x"].map((time) => read({ "webhook-timestamp": String(time) })),
    read({ "webhook-id": randomUUID() }),
    read({ "webhook-signature": "v1,x" }),
    read({ "webhook-signature": undefined }),
  ])
    expect(wrong).toBeUndefined();
  expect(read({ "webhook-signature": `v1,x ${headers["webhook-signature"]}` }), "one of several keys").toBeDefined();
});

describe("whom it serves", () => {
  const problems = async (h: Harmonization) => (await log(h)).map(({ problem, nextAt }) => [problem, nextAt]);

  test("W181: it goes on when who has set it is no owner any more, is disabled or deleted, and says so to the other owners", async () => {
    const bob = await makeAccount(database, `Bob ${randomUUID()}`, directory);
    for (const leave of [
      (listId: string, eve: string) =>
        prisma.listPerson.update({
          where: { listId_accountId: { listId, accountId: eve } },
          data: { role: "reviewer" },
        }),
      (_: string, eve: string) => prisma.account.update({ where: { id: eve }, data: { disabledAt: new Date() } }),
      (_: string, eve: string) => prisma.account.delete({ where: { id: eve } }),
    ]) {
      const { h } = await watched();
      const eve = await makeAccount(database, `Eve ${randomUUID()}`, directory);
      for (const accountId of [bob, eve])
        await prisma.listPerson.create({ data: { listId: h.listId, accountId, role: "owner" } });
      await setWebhook(deps, h, { accountId: eve, url: receiver.url });
      expect(await findWebhook(deps, h)).toMatchObject({ hasLeft: false, hasEnded: false });
      await leave(h.listId, eve);
      await finish(h);
      await deliver(h);
      expect(await findWebhook(deps, h)).toMatchObject({ hasLeft: true, hasEnded: false });
      expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
        ...["webhook.test", "file.finished", "file.review"],
      ]);
      receiver.received.length = 0;
    }
  });

  test("W134: of a list whose owners are all disabled nothing is told", async () => {
    const { h } = await watched();
    const bob = await makeAccount(database, `Bob ${randomUUID()}`, directory);
    await prisma.listPerson.create({ data: { listId: h.listId, accountId: bob, role: "reviewer" } });
    await prisma.account.update({ where: { id: ada }, data: { disabledAt: new Date() } });
    await finish(h);
    await deliver(h);
    expect(await findWebhook(deps, h)).toMatchObject({ hasEnded: true });
    expect(await problems(h)).toEqual([
      ["no_owner", null],
      ["no_owner", null],
    ]);
    expect(receiver.received).toEqual([]);
    await prisma.account.update({ where: { id: ada }, data: { disabledAt: null } });
  });

  test("W171: of a list of the command line, which nobody owns, it is told while there is an admin, by role or by ADMINS", async () => {
    const { h } = await watched();
    await prisma.listPerson.deleteMany({ where: { listId: h.listId } });
    const hears = async (data: { role?: "admin" | "member"; handle?: string | null; externalId?: string }) => {
      await prisma.account.update({
        where: { id: ada },
        data: { role: "member", handle: null, externalId: "Ada", ...data },
      });
      return !(await findWebhook(deps, h))?.hasEnded;
    };
    expect([
      await hears({ role: "admin" }),
      await hears({ handle: "Root" }),
      await hears({ externalId: "root" }),
    ]).toEqual([true, true, true]);
    expect(await hears({})).toBe(false);
    await finish(h);
    await deliver(h);
    expect(await problems(h)).toEqual([
      ["no_owner", null],
      ["no_owner", null],
    ]);
    expect(receiver.received).toEqual([]);
  });

  test("W134: a list that is deleted takes its webhook, what waits and the log with it", async () => {
    const { h } = await watched();
    await finish(h);
    await prisma.harmonization.delete({ where: { id: h.id } });
    await prisma.list.delete({ where: { id: h.listId } });
    await deliver(h);
    expect(receiver.received).toEqual([]);
    expect(await prisma.webhookDelivery.count({ where: { listId: h.listId } })).toBe(0);
  });

  test("W135: a secret is sealed for its list, is another each time, and one that no key opens signs nothing", async () => {
    const { h, secret } = await watched();
    const { h: others } = await watched();
    const kept = await prisma.webhook.findUniqueOrThrow({ where: { listId: h.listId } });
    expect(Buffer.from(kept.secret).includes(Buffer.from(secret))).toBe(false);
    expect(await setWebhook(deps, h, { accountId: ada, url: receiver.url })).not.toBe(secret);
    await prisma.webhookDelivery.deleteMany();
    await prisma.webhook.update({ where: { listId: others.listId }, data: { secret: kept.secret } });
    await finish(others);
    await deliver(others);
    await finish(h);
    await deliver(h, { ...deps, webhooks: { ...deps.webhooks, vault: createVault(["another key"], "web") } });
    for (const each of [others, h])
      expect(await problems(each)).toEqual([
        ["no_secret", null],
        ["no_secret", null],
      ]);
    expect(receiver.received).toEqual([]);
  });

  test("W135: an address with a password, of another scheme, too long, or in http where that is not allowed is refused", async () => {
    const { h } = await watched();
    const strict = { ...deps, webhooks: { ...deps.webhooks, isHttpAllowed: false } };
    for (const url of [
      "",
      "x",
      "ftp://a.test",
      "https://u:p@a.test",
      "https://a.test/#x",
      `https://a.test/${"x".repeat(1000)}`,
      "javascript:1",
    ])
      await expect(setWebhook(deps, h, { accountId: ada, url }), url).rejects.toMatchObject({ status: 400 });
    await expect(setWebhook(strict, h, { accountId: ada, url: "http://a.test" })).rejects.toMatchObject({
      status: 400,
    });
    await setWebhook(strict, h, { accountId: ada, url: " https://a.test/hook " });
    expect(await findWebhook(deps, h)).toMatchObject({ url: "https://a.test/hook", setBy: "Ada" });
  });
});
