import { Socket } from "node:net";
import { expect, it } from "vitest";
import { createBrake } from "../../../../src/directory/auth/base/session.ts";
import { createVault, randomToken } from "../../../../src/shared/crypto.ts";
import { authHost } from "../auth-host.ts";

const host = await authHost();
const { pool } = host.deps;
const vault = createVault([randomToken()], "directory");
const from = (ip: string) => ({ ip, socket: new Socket() });
const HERE = from("203.0.113.5");

/** Creates the same brake in two processes. */
function brakes(limit: number) {
  const attempts = { name: `test ${randomToken(6)}`, limit, windowSeconds: 900 };
  return [createBrake({ pool, vault }, attempts), createBrake({ pool, vault }, attempts)] as const;
}

const minutesPass = (minutes: number) =>
  pool.query("UPDATE directory.rate_count SET window_start = window_start - make_interval(mins => $1)", [minutes]);

it("an attempt limit lets exactly its number of concurrent attempts pass, across two processes", async () => {
  const [one, other] = brakes(10);
  const refusals = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? one : other).count("ada", HERE)));
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(10);
  for (const brake of [one, other]) {
    const refusal = await brake.check("ada", HERE);
    expect(refusal).toMatchObject({ status: 429, message: expect.stringContaining("Try again in 15 minutes.") });
    expect(Number(refusal?.headers["retry-after"])).toBeGreaterThan(800);
    expect(Number(refusal?.headers["retry-after"])).toBeLessThanOrEqual(900);
  }
});

it("an attempt limit does not count refused attempts, and has room for one after one is taken back", async () => {
  const [one, other] = brakes(2);
  for (let time = 0; time < 6; time += 1) await one.count("ada", HERE);
  await other.forgive("ada", HERE);
  expect([await one.count("ada", HERE), await one.count("ada", HERE)]).toMatchObject([undefined, { status: 429 }]);
});

it("an attempt limit forgets the attempts that a success clears", async () => {
  const [one, other] = brakes(2);
  for (let time = 0; time < 3; time += 1) await one.count("ada", HERE);
  await other.clear("ada", HERE);
  expect([await one.check("ada", HERE), await one.count("ada", HERE)]).toEqual([undefined, undefined]);
});

it("an attempt limit reopens fifteen minutes after the first attempt, however many were refused since", async () => {
  const [brake] = brakes(2);
  for (let time = 0; time < 3; time += 1) await brake.count("ada", HERE);
  await minutesPass(10);
  expect(await brake.count("ada", HERE)).toMatchObject({ message: expect.stringContaining("in 5 minutes.") });
  await minutesPass(5);
  expect([await brake.check("ada", HERE), await brake.count("ada", HERE)]).toEqual([undefined, undefined]);
});

it("an attempt limit counts names, networks and limits separately", async () => {
  const [brake] = brakes(1);
  const [another] = brakes(1);
  await brake.count("ada", HERE);
  expect(await brake.count("ada", HERE)).toMatchObject({ status: 429 });
  const others = [brake.count("bob", HERE), brake.count("ada", from("203.0.113.6")), another.count("ada", HERE)];
  expect(await Promise.all(others)).toEqual([undefined, undefined, undefined]);
});

it("an attempt limit accepts any name, and stores neither names nor addresses", async () => {
  const [brake] = brakes(1);
  for (const name of ["canary-typed-password", "a\0b", "x".repeat(100_000), "\ud800", ""]) {
    expect(await brake.count(name, HERE)).toBeUndefined();
    expect(await brake.count(name, HERE)).toMatchObject({ status: 429 });
  }
  const { rows } = await pool.query<{ subject: string }>("SELECT subject FROM directory.rate_count");
  expect(JSON.stringify(rows)).not.toMatch(/canary|203\.0\.113/);
  expect(Math.max(...rows.map(({ subject }) => subject.length))).toBeLessThan(100);
});
