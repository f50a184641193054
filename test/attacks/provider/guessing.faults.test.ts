import { describe, expect, it } from "vitest";
import { codeFor, loggedIn } from "../../directory/auth/auth-host.ts";
import { formFields, type Page } from "../../support/http-client.ts";
import { useRealCost } from "../../support/password-cost.ts";
import { CALLBACK, type Instance, runningDirectory } from "../running-directory.ts";
import { forEach } from "../venue-api.ts";

const directory = await runningDirectory({ instances: 2 });
const host = { ...directory, url: directory.auth };
const [here = directory, there = directory] = directory.instances;
const ATTACKER = "203.0.113.7";

/** Forwarding headers for a caller at this address. */
const from = (address: string) => ({ "x-forwarded-for": address, "x-forwarded-proto": "https" });

/** Opens the log-in form at an instance. The returned function submits it from an address. */
async function loginForm(on: Instance) {
  const browser = directory.browser(on);
  const form = formFields(await browser.get("/login"), "/login");
  return (address: string, handle: string, password: string): Promise<Page> =>
    browser.post("/login", { ...form, handle, password }, from(address));
}

describe("B18: a hundred guesses within a minute", () => {
  it("B18: of a secret are rejected after the thirtieth across instances, and the application keeps working elsewhere", async () => {
    const application = await directory.application();
    const { clientId, clientSecret } = application;
    const code = await codeFor(await loggedIn(host, await directory.user()), clientId);
    const guess = (on: Instance, address: string, client_secret: string) => {
      const fields = { grant_type: "authorization_code", redirect_uri: CALLBACK, code, client_id: clientId };
      const query = new URLSearchParams({ ...fields, client_secret });
      return fetch(`${on.auth}/oauth2/access_token?${query}`, { headers: from(address) });
    };
    const replies: Response[] = [];
    for (let batch = 0; batch < 20; batch += 1) {
      const guesses = Array.from({ length: 5 }, (_, n) => guess(n % 2 ? here : there, ATTACKER, `${batch}-${n}`));
      replies.push(...(await Promise.all(guesses)));
    }
    expect(replies.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(400));
    for (const reply of [...replies.slice(30), await guess(here, ATTACKER, clientSecret)]) {
      expect([reply.status, await reply.json()]).toMatchObject([429, { error: "rate_limit_exceeded" }]);
      const wait = Number(reply.headers.get("retry-after"));
      expect(wait > 0 && wait <= 60).toBe(true);
    }
    expect((await guess(there, "203.0.113.8", clientSecret)).status).toBe(200);
  });

  it("B18: of a password are rejected after the tenth from one IPv6 /64 across instances, and the user can log in elsewhere", async () => {
    const user = await directory.user();
    const address = (n: number) => `2001:db8:0:1:${n.toString(16)}::${n + 1}`;
    const forms = [await loginForm(here), await loginForm(there)];
    const [send = await loginForm(here)] = forms;
    const pages: Page[] = [];
    await forEach(Array(100).keys(), async (n) => {
      pages.push(await (forms[n % 2] ?? send)(address(n), user.handle, `guess ${n}`));
    });
    expect(pages.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = pages.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(90);
    for (const page of [...refused, await send(address(0), user.handle, user.password)]) {
      expect([page.status, page.location, formFields(page, "/login").handle]).toEqual([429, "", user.handle]);
      expect(page.body).toMatch(/Try again in 1[45] minutes\./);
      const wait = Number(page.headers.get("retry-after"));
      expect(wait > 60 && wait <= 900).toBe(true);
    }
    const page = await (await loginForm(there))("2001:db8:0:2::1", user.handle, user.password);
    expect([page.status, page.location]).toEqual([303, `${there.auth}/settings`]);
  });
});

it("B19: a wrong password, an unknown handle and a disabled user get the same page in the same time", async () => {
  useRealCost();
  const [known, disabled] = [await directory.user(), await directory.user()];
  await directory.deps.prisma.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } });
  const tried = { known: known.handle, unknown: "nobody-here", disabled: disabled.handle };
  const passwords = { known: "canary-password", unknown: "canary-password", disabled: disabled.password };
  const send = await loginForm(here);
  const times = { known: [] as number[], unknown: [] as number[], disabled: [] as number[] };
  const shown = new Set<string>();
  for (let round = 0; round < 3; round += 1)
    for (const kind of ["known", "unknown", "disabled"] as const) {
      const start = performance.now();
      const page = await send(`203.0.113.${20 + round}`, tried[kind], passwords[kind]);
      times[kind].push(performance.now() - start);
      expect(page.body).not.toContain(passwords[kind]);
      shown.add(`${page.status} ${page.body.replaceAll(tried[kind], "").replace(/name="_csrf" value="[^"]*"/, "")}`);
    }
  expect([...shown]).toEqual([expect.stringMatching(/^401 .*Username or password is wrong/s)]);
  for (const kind of ["unknown", "disabled"] as const) {
    const ratio = median(times[kind]) / median(times.known);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  }
});

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
