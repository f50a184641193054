import { describe, expect, it } from "vitest";
import {
  answers,
  answersError,
  answersHtml,
  cutsAfter,
  hangs,
  truncates,
  usual,
} from "../../support/fake-directory/behaviours.ts";
import { confirmedAgo, newAdmin, newMember } from "../../web/admin/browser.ts";
import { ENDPOINT, PAGE, secretsPage } from "../admin-apps.ts";

const { web, directory, admin, press, rotate, switchOn, rotations, rows, expectFirstInUse, expectNewestInUse } =
  await secretsPage();

describe("a secret rotation", () => {
  it("W09: takes effect on both instances at once, and its history names the admin", async () => {
    expect((await rotate()).status).toBe(303);
    await expectNewestInUse();
    const { body } = await admin().get(PAGE);
    expect(body).toContain("every process now uses the new one");
    expect(body).toMatch(/Rotated here<\/td>\s*<td[^>]*><bdi>Ada<\/bdi>/);
    expect(body).toContain("End the old secret now");
  });

  it("W09: requires an admin who gave their password in the last ten minutes", async () => {
    const page = await admin().get(PAGE);
    const { browser: member } = await newMember(web, "Mia");
    expect((await member.submit(page, `${PAGE}/rotate`, { overlap: "1h" })).status).toBe(403);
    await confirmedAgo(web, 11);
    const late = await admin().submit(page, `${PAGE}/rotate`, { overlap: "1h" });
    expect(late.status).toBe(403);
    expect(late.body).toContain('href="/login?next=%2Fadmin%2Fsecrets&amp;confirm=1"');
    expect((await admin().get(PAGE)).body).not.toContain("Rotate now");
    expect((await admin().post(`${PAGE}/rotate`, { overlap: "1h" })).status).toBe(403);
    expect([rotations(), await rows()]).toEqual([0, []]);
    await confirmedAgo(web, 9);
    expect((await rotate()).status).toBe(303);
  });

  it("W09: succeeds for one of two concurrent admins, and the other sees a message", async () => {
    const { browser: other } = await newAdmin(web, "Bob");
    const pages = await Promise.all([admin().get(PAGE), other.get(PAGE)]);
    const isRefused = Promise.withResolvers<void>();
    directory.behave(ENDPOINT, async (call) => {
      if (call.response.req.method === "POST") await isRefused.promise; // or until the call has lasted too long
      usual(call);
    });
    const pressed = await Promise.all(
      [admin(), other].map(async (browser, index) => {
        const reply = await browser.submit(pages[index] ?? pages[0], `${PAGE}/rotate`, { overlap: "1h" });
        if (reply.status === 409) isRefused.resolve();
        return reply;
      }),
    );
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(pressed.find(({ status }) => status === 409)?.body).toContain("was rotated in the meantime");
    expect([
      rotations(),
      (await rows()).filter(({ switchedOnAt, origin }) => switchedOnAt && origin === "rotated").length,
    ]).toEqual([1, 1]);
    await expectNewestInUse();
  });

  it("W09: has no effect when its page predates another rotation", async () => {
    const stale = await admin().get(PAGE);
    await rotate();
    expect((await admin().submit(stale, `${PAGE}/rotate`, { overlap: "1h" })).status).toBe(409);
    expect(rotations()).toBe(1);
  });

  it("W09: keeps the old secret in use until the new one passes its test", async () => {
    directory.behave("/v2/venues/categories", answersError(400, "invalid_auth"));
    const failed = await rotate();
    expect(failed.status).toBe(400);
    expect(failed.body).toContain("The new secret is stored, but not in use");
    directory.behave("/v2/venues/categories", usual);
    await expectFirstInUse();
    const page = await admin().get(PAGE);
    expect(page.body).toContain("A new secret, created <time ");
    expect(page.body).toContain("The secret in use ends in ");
    expect(page.body).not.toContain("The old secret");
    const waiting = (await rows()).find(({ switchedOnAt }) => !switchedOnAt);
    directory.behave("/oauth2/access_token", answers(400, { error: "invalid_client" }));
    expect((await admin().submit(page, `${PAGE}/${waiting?.id}/switch-on`)).status).toBe(400);
    directory.reset();
    expect((await admin().submit(page, `${PAGE}/${waiting?.id}/switch-on`)).status).toBe(303);
    await expectNewestInUse();
  });

  it("W09: is not repeated while a new secret waits, and the page offers that secret instead", async () => {
    const stale = await admin().get(PAGE);
    directory.behave("/oauth2/access_token", answers(503, "no"));
    await rotate();
    directory.reset();
    expect((await admin().get(PAGE)).body).not.toContain("Rotate now");
    expect((await admin().submit(stale, `${PAGE}/rotate`, { overlap: "1h" })).status).toBe(409);
    expect(rotations()).toBe(0);
    expect((await switchOn()).status).toBe(303);
    await expectNewestInUse();
  });

  it("W09: leaves the page connections free while the directory hangs", async () => {
    const page = await admin().get(PAGE);
    directory.behave(ENDPOINT, hangs());
    const pressed = admin().submit(page, `${PAGE}/rotate`, { overlap: "1h" });
    await expect.poll(rotations).toBe(1);
    const { totalCount, idleCount } = web.own.pool;
    await pressed;
    expect(idleCount).toBe(totalCount);
  });

  it.each([
    ["cuts the connection after its work", cutsAfter(0)],
    ["sends half of the answer", truncates()],
    ["hangs", hangs()],
    ["answers 500", answers(500, { error: "server_error" })],
    ["answers a page of a proxy", answersHtml()],
    ["answers without a secret", answers(200, { client_id: "fake-client" })],
    ["answers for another application", answers(200, { client_id: "other", client_secret: "not-for-you-1" })],
  ])("W09: keeps log-ins working when the directory %s, and the next attempt recovers", async (_name, behaviour) => {
    const page = await admin().get(PAGE);
    directory.behave(ENDPOINT, behaviour);
    const failed = await admin().submit(page, `${PAGE}/rotate`, { overlap: "1h" });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(failed.body).toMatch(/The secret in use ends in \d+ \w+\. Rotate again before then/);
    directory.reset();
    expect((await admin().get("/admin/status")).body).toMatch(/The secret in use ends in \d+ \w+\. Rotate it again/);
    await expectFirstInUse();
    expect((await rotate()).status).toBe(303);
    await expectNewestInUse();
    expect(directory.client.live).toHaveLength(2);
    expect((await admin().get("/admin/status")).body).not.toContain("The secret in use ends");
  });

  it.each([
    ["the API host answers 500", "/v2/venues/categories", answers(500, "{}")],
    ["the API host hangs", "/v2/venues/categories", hangs()],
    ["the log-in host answers 500", "/oauth2/access_token", answers(500, "{}")],
    ["the log-in host answers HTML", "/oauth2/access_token", answersHtml()],
  ])(
    "W09: keeps log-ins on the old secret when %s at the test, and a retry recovers",
    async (_name, path, behaviour) => {
      directory.behave(path, behaviour);
      const failed = await rotate();
      expect(failed.status).toBe(503);
      directory.reset();
      await expectFirstInUse();
      expect((await switchOn()).status).toBe(303);
      await expectNewestInUse();
      expect((await rows()).filter(({ secret, switchedOnAt }) => secret && !switchedOnAt)).toEqual([]);
    },
  );

  it("W09: ends the old secret everywhere on request, and stores no copy", async () => {
    await rotate();
    await rotate();
    expect((await press("/end-old")).status).toBe(303);
    expect(directory.client.live).toHaveLength(1);
    expect((await rows()).map(({ secret, endedAt }) => [secret === null, endedAt !== null])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
    await expectNewestInUse();
  });

  it("W09: is not offered where the directory does not allow it, and the page says why", async () => {
    const page = await admin().get(PAGE);
    directory.behave(ENDPOINT, answers(403, { error: "unauthorized_client" }));
    expect((await admin().get(PAGE)).body).not.toContain("Rotate now");
    const refused = await admin().submit(page, `${PAGE}/rotate`, { overlap: "1h" });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("does not allow Samespot to change its own secret");
    expect(await rows()).toEqual([]);
  });

  it("W09: accepts only the overlaps that the form offers", async () => {
    for (const overlap of ["0", "1", "3600", "", "2d"]) expect((await press("/rotate", { overlap })).status).toBe(400);
    expect(rotations()).toBe(0);
  });
});
