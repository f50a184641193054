import { expect, it } from "vitest";
import { createVault, randomToken } from "../../src/crypto.ts";
import { createBrake } from "../../src/directory/auth/brake.ts";
import { formFields } from "../support/http-client.ts";
import { authHost, CALLBACK } from "./auth-host.ts";

const host = await authHost();
const { pool } = host.deps;
const vault = createVault([randomToken()], "directory");
const HERE = "203.0.113.5";

/** A brake of its own, as two processes have it. */
function brakes(limit: number) {
  const attempts = { name: `test ${randomToken(6)}`, limit, windowSeconds: 900 };
  return [createBrake({ pool, vault }, attempts), createBrake({ pool, vault }, attempts)] as const;
}

const minutesPass = (minutes: number) =>
  pool.query("UPDATE directory.rate_count SET window_start = window_start - make_interval(mins => $1)", [minutes]);

it("lets as many attempts pass as the limit says, of any number at once and over two processes", async () => {
  const [one, other] = brakes(10);
  const refusals = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? one : other).count("ada", HERE)));
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(10);
  for (const brake of [one, other]) {
    const refusal = await brake.check("ada", HERE);
    expect(refusal).toMatchObject({ status: 429, message: expect.stringContaining("Please try again in 15 minutes.") });
    expect(Number(refusal?.headers["retry-after"])).toBeGreaterThan(800);
    expect(Number(refusal?.headers["retry-after"])).toBeLessThanOrEqual(900);
  }
});

it("does not count what it refuses: one taken back makes room for one", async () => {
  const [one, other] = brakes(2);
  for (let time = 0; time < 6; time += 1) await one.count("ada", HERE);
  await other.forgive("ada", HERE);
  expect([await one.count("ada", HERE), await one.count("ada", HERE)]).toMatchObject([undefined, { status: 429 }]);
});

it("forgets what a good attempt clears", async () => {
  const [one, other] = brakes(2);
  for (let time = 0; time < 3; time += 1) await one.count("ada", HERE);
  await other.clear("ada", HERE);
  expect([await one.check("ada", HERE), await one.count("ada", HERE)]).toEqual([undefined, undefined]);
});

it("opens again fifteen minutes after the first attempt, however many were refused since", async () => {
  const [brake] = brakes(2);
  for (let time = 0; time < 3; time += 1) await brake.count("ada", HERE);
  await minutesPass(10);
  expect(await brake.count("ada", HERE)).toMatchObject({ message: expect.stringContaining("in 5 minutes.") });
  await minutesPass(5);
  expect([await brake.check("ada", HERE), await brake.count("ada", HERE)]).toEqual([undefined, undefined]);
});

it("tells names, networks and brakes apart", async () => {
  const [brake] = brakes(1);
  const [another] = brakes(1);
  await brake.count("ada", HERE);
  expect(await brake.count("ada", HERE)).toMatchObject({ status: 429 });
  const others = [brake.count("bob", HERE), brake.count("ada", "203.0.113.6"), another.count("ada", HERE)];
  expect(await Promise.all(others)).toEqual([undefined, undefined, undefined]);
});

it("takes names of any kind, and keeps neither them nor addresses", async () => {
  const [brake] = brakes(1);
  for (const name of ["canary-typed-password", "a\0b", "x".repeat(100_000), "\ud800", ""]) {
    expect(await brake.count(name, HERE)).toBeUndefined();
    expect(await brake.count(name, HERE)).toMatchObject({ status: 429 });
  }
  const { rows } = await pool.query<{ subject: string }>("SELECT subject FROM directory.rate_count");
  expect(JSON.stringify(rows)).not.toMatch(/canary|203\.0\.113/);
  expect(Math.max(...rows.map(({ subject }) => subject.length))).toBeLessThan(100);
});

/** What our proxy says of a caller at this address. */
const from = (address: string) => ({ "x-forwarded-for": address, "x-forwarded-proto": "https" });

it("B18: guesses of a password at two instances count together, and the user logs in from elsewhere", async () => {
  const user = await host.user();
  const attempt = async (origin: string, address: string, password: string) => {
    const browser = host.browser();
    const form = formFields(await browser.get("/login"), "/login");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const reply = await fetch(`${origin}/login`, {
      method: "POST",
      redirect: "manual",
      headers: { ...from(address), cookie, origin },
      body: new URLSearchParams({ ...form, handle: user.handle, password }),
    });
    return { status: reply.status, wait: Number(reply.headers.get("retry-after")) };
  };
  for (let time = 0; time < 5; time += 1)
    for (const origin of [host.url, host.twin])
      expect((await attempt(origin, "203.0.113.7", "wrong")).status).toBe(401);
  for (const origin of [host.url, host.twin]) {
    const refused = await attempt(origin, "203.0.113.7", user.password);
    expect(refused.status).toBe(429);
    expect(refused.wait).toBeGreaterThan(60);
  }
  expect((await attempt(host.twin, "203.0.113.8", user.password)).status).toBe(303);
}, 60_000);

it("B18: guesses of a secret at two instances count together, and the application goes on from elsewhere", async () => {
  const { clientId, clientSecret } = await host.application();
  const attempt = async (origin: string, address: string, client_secret: string) => {
    const fields = { grant_type: "authorization_code", redirect_uri: CALLBACK, code: "none", client_id: clientId };
    const query = new URLSearchParams({ ...fields, client_secret });
    const reply = await fetch(`${origin}/oauth2/access_token?${query}`, { headers: from(address) });
    return { status: reply.status, error: ((await reply.json()) as { error: string }).error };
  };
  for (let time = 0; time < 15; time += 1)
    for (const origin of [host.url, host.twin])
      expect((await attempt(origin, "203.0.113.7", `guess ${time}`)).error).toBe("invalid_client");
  for (const origin of [host.url, host.twin])
    expect((await attempt(origin, "203.0.113.7", clientSecret)).status).toBe(429);
  expect((await attempt(host.twin, "203.0.113.8", clientSecret)).error).toBe("invalid_grant");
});
