import { expect, it } from "vitest";
import { authHost, authorizePath, decide, loggedIn } from "../auth-host.ts";

const host = await authHost();

/** Returns an open consent page, and a count of the codes for its application. */
async function consentPage(more: Record<string, string> = {}, path?: string) {
  const user = await host.user();
  const { clientId } = await host.application();
  const browser = await loggedIn(host, user);
  const page = await browser.get(authorizePath(clientId, more, path));
  const codes = () => host.deps.prisma.authorizationCode.count({ where: { clientId } });
  return { browser, page, clientId, user, codes };
}

it("a consent request accepts no decision after ten minutes", async () => {
  const { browser, page, codes, clientId } = await consentPage();
  await host.deps.pool.query(
    "UPDATE directory.authorization_request SET expires_at = expires_at - interval '10 minutes' WHERE client_id = $1",
    [clientId],
  );
  const answer = await decide(browser, page, "allow");
  expect(answer.status).toBe(400);
  expect(answer.body).toContain("start again");
  expect(await codes()).toBe(0);
});

it("a consent request accepts no decision from a user who was disabled or has logged out", async () => {
  const { browser, page, codes, user } = await consentPage();
  await host.deps.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } });
  const login = await browser.follow(await decide(browser, page, "allow"));
  expect([login.status, login.body]).toEqual([200, expect.stringContaining('action="/login"')]);
  const other = await consentPage();
  await other.browser.submit(other.page, "/logout");
  expect((await decide(other.browser, other.page, "allow")).status).toBe(403);
  expect([await codes(), await other.codes()]).toEqual([0, 0]);
});

it.each(["touch", "wap", "webpopup", "unknown"])(
  "log-in and consent pages work with display=%s, and are never framed",
  async (display) => {
    const { page, clientId, browser } = await consentPage({ display });
    const login = await host.browser().get(authorizePath(clientId, { display }));
    const broken = await browser.get(authorizePath("nobody", { display }));
    for (const { headers, body } of [page, login, broken]) {
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(body).not.toContain("unknown");
      expect(body.match(/<h1/g)).toHaveLength(1);
    }
    if (display === "wap") expect(page.body).not.toMatch(/<svg|<link|<script/);
  },
);
