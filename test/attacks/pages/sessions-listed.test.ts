import { describe, expect, it } from "vitest";
import { formFields, type Page } from "../../support/http-client.ts";
import { startWeb } from "../../web/web-app.ts";
import { cookieOf, hashOf, idOf, NO, sessionRows, YES } from "../session-rows.ts";

const web = await startWeb({ instances: 2 });
const { isAlive, change } = sessionRows(web);

describe("the list of sessions", () => {
  /** Simulates a recent password confirmation. */
  const confirm = (cookie: string) =>
    change(cookie, "data", `data || jsonb_build_object('verifiedAt', extract(epoch FROM now()) * 1000)`);
  const actions = ({ body }: Page) =>
    [...body.matchAll(/action="(\/settings\/sessions\/[0-9a-f]{64})"/g)].map(([, to = ""]) => to);

  it("shows the browser and last use of each session, marks the current one, and contains no usable session id", async () => {
    web.directory.signIn("Jan");
    const [here, there] = [await web.logIn(), await web.logIn()];
    await change(cookieOf(here), "data", `data - 'browser'`);
    await change(cookieOf(there), "data", `data || '{"browser": "Firefox on Linux"}'`);
    await change(cookieOf(there), "expires_at", "now() + interval '14 days' - interval '3 hours'");
    const { body } = await here.get("/settings");
    const items = body.split("<li>").filter((item) => item.includes("Logged in <time"));
    expect(items.length).toBe(2);
    expect(items[0]).toMatch(/<b>Unknown browser<\/b> <span[^>]*>this session/);
    expect(items[1]).toContain("<b>Firefox on Linux</b>");
    expect(items[1]).toMatch(/last used <time [^>]*>3 h ago</);
    for (const cookie of [here, there].map(cookieOf)) {
      const hash = hashOf(cookie);
      for (const secret of [idOf(cookie), hash.toString("hex"), hash.toString("base64"), hash.toString("base64url")])
        expect(body).not.toContain(secret);
    }
  });

  it("W22: lets a user end one or all other sessions after a recent password confirmation", async () => {
    web.directory.signIn("Kim");
    const [here, one, two] = [await web.logIn(), await web.logIn(), await web.logIn()];
    await change(cookieOf(one), "expires_at", "expires_at + interval '1 minute'"); // the first of the list
    await confirm(cookieOf(here));
    const page = await here.get("/settings");
    const [first = ""] = actions(page);
    expect((await here.submit(page, first)).location).toBe(`${web.url}/settings`);
    expect([await isAlive(cookieOf(one)), await isAlive(cookieOf(two))]).toEqual([NO, YES]);
    expect((await here.get("/settings")).body).toContain("The session has been ended.");
    await here.submit(page, first);
    expect((await here.get("/settings")).body).toContain("had already ended");

    expect((await here.submit(await here.get("/settings"), "/settings/sessions/others")).status).toBe(303);
    expect([await isAlive(cookieOf(two)), await isAlive(cookieOf(here))]).toEqual([NO, YES]);
  });

  it("W22: without the password allows only ending all sessions, the current one included", async () => {
    web.directory.signIn("Lea");
    const [thief, owner] = [await web.logIn(), await web.logIn()];
    await confirm(cookieOf(owner));
    const [ofThief = ""] = actions(await owner.get("/settings"));
    await change(
      cookieOf(owner),
      "data",
      `data || jsonb_build_object('verifiedAt', (extract(epoch FROM now()) - 700) * 1000)`,
    );
    for (const browser of [thief, owner]) {
      const page = await browser.get("/settings");
      expect(actions(page)).toEqual([]);
      expect(page.body).toContain('href="/login?confirm=1&amp;next=%2Fsettings"');
    }
    const token = formFields(await owner.get("/settings"), "/logout");
    for (const path of [ofThief, "/settings/sessions/others"])
      expect((await owner.post(path, token)).location).toBe(`${web.url}/login?confirm=1&next=%2Fsettings`);
    expect([await isAlive(cookieOf(thief)), await isAlive(cookieOf(owner))]).toEqual([YES, YES]);
  });

  it("ends no session of another user", async () => {
    web.directory.signIn("Mia");
    const [mia, other] = [await web.logIn(), await web.logIn()];
    await confirm(cookieOf(mia));
    const [target = ""] = actions(await mia.get("/settings"));
    web.directory.signIn("Noa");
    const noa = await web.logIn();
    await confirm(cookieOf(noa));
    const form = formFields(await noa.get("/settings"), "/logout");
    const stored = hashOf(cookieOf(other)).toString("hex");
    for (const id of [target.split("/").at(-1), stored, "0".repeat(64)])
      expect((await noa.post(`/settings/sessions/${id}`, form)).status).toBe(303);
    for (const id of ["", "x", "%00", "%F0%9F%98%80", stored.toUpperCase()])
      expect((await noa.post(`/settings/sessions/${id}`, form)).status).toBe(404);
    expect([await isAlive(cookieOf(mia)), await isAlive(cookieOf(other))]).toEqual([YES, YES]);
  });
});
