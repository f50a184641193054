import { expect, test, vi } from "vitest";
import { snapshot } from "../../support/database/snapshot.ts";
import { formFields, type HttpClient } from "../../support/http-client.ts";
import { webWithRoutes } from "../web-with-routes.ts";

const { web, routes } = await webWithRoutes();
const { pool } = web.database;
const POSTS = routes.filter((route) => route.startsWith("POST ")).map((route) => route.slice(5));
/** What anybody may send: nothing of a member's changes. */
const OPEN = ["/logout", "/login/callback"];

const rows = () => snapshot(pool, "app", ["session", "connection", "login_attempt"]);

async function confirmedAdmin(): Promise<HttpClient> {
  const browser = await web.logIn();
  await pool.query("UPDATE app.account SET role = 'admin'");
  await pool.query(
    "UPDATE app.session SET data = data || jsonb_build_object('verifiedAt', extract(epoch FROM now()) * 1000) WHERE account_id IS NOT NULL AND ended_at IS NULL",
  );
  return browser;
}

test.each(POSTS.filter((path) => !OPEN.includes(path)))(
  "C82: %s of somebody whom the directory has disabled, and who has only looked at pages that need none of its calls, changes nothing",
  async (path) => {
    web.directory.reset();
    const browser = await confirmedAdmin();
    const { _csrf = "" } = formFields(await browser.get("/settings"), "/logout");
    web.directory.revoke();
    const before = await rows();
    const later = performance.now() + 5 * 60_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    const address = path.replace(/:number/g, "1").replace(/:\w+/g, "00000000-0000-7000-8000-000000000000");
    const answer = await browser.post(address, { _csrf }).finally(() => clock.mockRestore());
    expect(answer.body).toContain("<h1>Connect again</h1>");
    expect(await rows()).toEqual(before);
    expect((await browser.get("/settings")).location, "the session is over").toContain("/login?next=");
  },
);
