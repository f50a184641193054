import { describe, expect, it } from "vitest";
import { type MadeListing, makeHarmonization } from "../../../harmonize/rows.ts";
import type { HttpClient } from "../../../support/http-client.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await startWeb({ env: { ADMINS: "nobody" } });
const { prisma } = web.database;
const fay = await web.logIn();
const owner = await ownerOf(web);

async function make(state: "matching" | "reading" = "matching") {
  const pending: MadeListing[] = Array.from({ length: 10 }, (_, at) => ({
    name: `Shop ${at}`,
    more: { status: "pending" },
  }));
  const { id } = await makeHarmonization(web.database, owner, pending, { directory: web.config.api.url, state });
  return {
    id,
    ask: (number: number) =>
      prisma.listing.update({
        where: { harmonizationId_number: { harmonizationId: id, number } },
        data: { status: "asked" },
      }),
    become: (data: object) => prisma.harmonization.update({ where: { id }, data }),
  };
}

/** A stream of events; `until` returns everything received once it contains this text or the stream ends. */
async function listen(id: string, by: HttpClient = fay, query = "") {
  const cookie = [...by.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const leaving = new AbortController();
  const { signal } = leaving;
  const address = `${web.url}/harmonizations/${id}/events${query}`;
  const reply = await fetch(address, { headers: { cookie }, redirect: "manual", signal });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    reply,
    async until(part: string): Promise<string> {
      while (!text.includes(part)) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) return `${text}(over)`;
        text += value;
      }
      return text;
    },
    close: () => leaving.abort(),
  };
}

describe("the events of what runs", () => {
  it("report the progress, and end when another page is due", async () => {
    const run = await make();
    const stream = await listen(run.id);
    expect(stream.reply.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.reply.headers.get("cache-control")).toBe("no-store");
    expect(stream.reply.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await stream.until('"done":"0 of 10 rows"')).toContain('"percent":0');
    await run.ask(1);
    expect(await stream.until('"done":"1 of 10 rows"')).toContain('"percentText":"10 %"');
    await run.become({ state: "ready" });
    expect(await stream.until("(never)")).toMatch(/event: over\ndata: \{\}\n\n\(over\)$/);
  });

  it.each([
    ["a pause", { pausedFor: "directory" }],
    ["the loss of access", { list: { update: { people: { deleteMany: {} } } } }],
  ])("end with %s", async (_what, change) => {
    const run = await make();
    const stream = await listen(run.id);
    await stream.until("data:");
    await run.become(change);
    expect(await stream.until("(never)")).toContain("event: over");
  });

  it("end at once if the page shows a stage that has passed", async () => {
    const run = await make();
    expect(await (await listen(run.id, fay, "?shown=reading")).until("(never)")).toContain("event: over");
    const stream = await listen(run.id, fay, "?shown=matching");
    expect(await stream.until("data:")).not.toContain("event: over");
    stream.close();
  });

  it("end with the session, in every tab", async () => {
    const run = await make();
    const other = await web.logIn();
    const stream = await listen(run.id, other);
    await stream.until("data:");
    await other.submit(await other.get("/settings"), "/logout");
    expect(await stream.until("(never)")).toContain("event: over");
    expect((await listen(run.id, other)).reply.status).toBe(303);
  });

  it("are limited to a few tabs per session, and a closed tab makes room", async () => {
    const run = await make();
    const streams = await Promise.all(Array.from({ length: 4 }, () => listen(run.id)));
    expect(streams.map(({ reply }) => reply.status)).toEqual([200, 200, 200, 200]);
    expect((await listen(run.id)).reply.status).toBe(429);
    streams[0]?.close();
    await expect
      .poll(async () => {
        const next = await listen(run.id);
        next.close();
        return next.reply.status;
      })
      .toBe(200);
    for (const { close } of streams) close();
  });

  it("hold no database connection while they wait", async () => {
    const run = await make();
    const streams = await Promise.all(Array.from({ length: 4 }, () => listen(run.id)));
    await Promise.all(streams.map(({ until }) => until("data:")));
    await expect.poll(() => web.own.pool.totalCount - web.own.pool.idleCount).toBe(0);
    for (const { close } of streams) close();
  });
});

describe("a server that closes", () => {
  it("ends its streams at once", async () => {
    const run = await make();
    const stream = await listen(run.id);
    await stream.until("data:");
    const begun = performance.now();
    const closed = web.app.close();
    expect(await stream.until("(never)")).toContain("(over)");
    expect(performance.now() - begun, "milliseconds").toBeLessThan(2000);
    await closed;
  });
});
