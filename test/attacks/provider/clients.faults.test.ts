import { beforeAll, describe, expect, it } from "vitest";
import { rotateSecret } from "../../../src/directory/applications/secrets.ts";
import { sha256 } from "../../../src/shared/crypto.ts";
import { codeFor, exchange, loggedIn } from "../../directory/auth/auth-host.ts";
import { expectNoSecrets } from "../../support/canaries.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { CALLBACK, runningDirectory } from "../running-directory.ts";
import { forEach } from "../venue-api.ts";

const directory = await runningDirectory();
const host = { ...directory, url: directory.auth };
const endpoint = `${directory.auth}/oauth2/access_token`;
let browser: HttpClient;
let application: { clientId: string; clientSecret: string };

beforeAll(async () => {
  browser = await loggedIn(host, await directory.user());
  application = await directory.application();
});

type Fields = [name: string, value: string][];
type Send = (fields: Fields) => Promise<{ status: number; text: string }>;

// Parameters may be in the address or in a form.
const ways: Record<string, Send> = {
  "in the address": (fields) => answer(`${endpoint}?${new URLSearchParams(fields)}`),
  "in a form": (fields) => answer(endpoint, { method: "POST", body: new URLSearchParams(fields) }),
};

let callers = 0;

/** Makes an exchange from a new client address, because guesses are counted per address. */
async function answer(address: string, { headers, ...init }: RequestInit = {}) {
  callers += 1;
  const from = { "x-forwarded-for": `10.${callers >> 8}.${callers & 255}.1`, "x-forwarded-proto": "https" };
  const reply = await fetch(address, { ...init, headers: { ...from, ...headers } });
  return { status: reply.status, text: await reply.text() };
}

const credentials = (clientId: string, clientSecret: string): Fields => [
  ["client_id", clientId],
  ["client_secret", clientSecret],
];
const exchangeOf = (code: string): Fields => [
  ["redirect_uri", CALLBACK],
  ["code", code],
];
const GRANT: Fields = [["grant_type", "authorization_code"]];
const refused = (error: string) => ({
  status: 400,
  text: expect.stringMatching(new RegExp(`^{"error":"${error}","error_description":"[^"]+"}$`)),
});

describe.each(Object.entries(ways))("B16: a token request %s", (_where, send) => {
  it("B16: accepts no grant but authorization_code, and logs no password sent along", async () => {
    const { clientId, clientSecret } = application;
    const code = await codeFor(browser, clientId);
    const password = "canary-password-4711";
    const rest: Fields = [
      ...credentials(clientId, clientSecret),
      ...exchangeOf(code),
      ["username", "canary-user-4711"],
      ["password", password],
    ];
    const others = ["password", "client_credentials", "refresh_token", "implicit", "AUTHORIZATION_CODE", "code", "\0"];
    for (const grant of others)
      expect(await send([["grant_type", grant], ...rest])).toEqual(refused("unsupported_grant_type"));
    expect(await send([["grant_type", "authorization_code "], ...rest])).toEqual(refused("unsupported_grant_type"));
    const twice: Fields[] = [
      [...GRANT, ...GRANT],
      [...GRANT, ["grant_type", "password"]],
      [["grant_type", "password"], ...GRANT],
    ];
    for (const grants of [[], [["grant_type", ""]] satisfies Fields, ...twice])
      expect(await send([...grants, ...rest])).toEqual(refused("invalid_request"));
    expect((await exchange(host, application, code)).status).toBe(200);
    expectNoSecrets({ log: directory.logs.text() }, { password: [password], user: ["canary-user-4711"] });
  });
});

describe("B17: a wrong client secret", () => {
  const WRONG = '{"error":"invalid_client","error_description":"the client id or the client secret is wrong"}';

  it("B17: gets the same answer whatever its mistake, for known and unknown applications", async () => {
    const { clientId, clientSecret: ended } = await directory.application();
    const { clientSecret } = await rotateSecret(directory.deps, clientId, { overlapHours: 0 });
    const others = (await directory.application()).clientSecret;
    const wrong: Fields[] = [
      ...[`${clientSecret.slice(0, -1)}!`, clientSecret.slice(0, 20), `${clientSecret}x`, "x", "x".repeat(10_000)],
      ...[
        clientSecret.toUpperCase(),
        ` ${clientSecret}`,
        `${clientSecret}\0`,
        Buffer.from(sha256(clientSecret)).toString("hex"),
      ],
      ...[others, ended, clientId, "null", "%", "'; --"],
    ].map((secret) => credentials(clientId, secret));
    for (const id of ["nobody", "0".repeat(24), "no\0body", "x".repeat(2000), `${clientId} `, clientId.toUpperCase()])
      wrong.push(credentials(id, clientSecret));
    const code = await codeFor(browser, clientId);
    const rest = [...GRANT, ...exchangeOf(code)];
    await forEach(wrong, async (fields) => {
      for (const send of Object.values(ways))
        expect(await send([...fields, ...rest])).toEqual({ status: 400, text: WRONG });
      const [[, id = ""] = [], [, secret = ""] = []] = fields;
      expect(await withBasic(id, secret, rest)).toEqual({ status: 401, text: WRONG });
    });
    expect((await exchange(host, { clientId, clientSecret }, code)).status).toBe(200);
  });

  it("B17: gets the same answer when missing or given twice, for known and unknown applications", async () => {
    const { clientId, clientSecret } = application;
    const code = await codeFor(browser, clientId);
    const given = (secrets: Fields) => async (id: string) => {
      const fields: Fields = [["client_id", id], ...secrets, ...GRANT, ...exchangeOf(code)];
      return Promise.all(Object.values(ways).map((send) => send(fields)));
    };
    const secret = (value: string): Fields => [["client_secret", value]];
    const lists = [
      [],
      secret(""),
      [...secret(clientSecret), ...secret("x")],
      [...secret("x"), ...secret(clientSecret)],
    ];
    for (const send of [...lists, [["client_secret[]", clientSecret]] satisfies Fields].map(given)) {
      const [here, nowhere] = [await send(clientId), await send("nobody")];
      for (const got of here) expect(got).toEqual(refused("invalid_request"));
      expect(nowhere).toEqual(here);
    }
    expect((await exchange(host, application, code)).status).toBe(200);
  });

  it("B17: takes the same time to reject whether its beginning is right or not", async () => {
    const { clientId, clientSecret } = application;
    const first = clientSecret.startsWith("A") ? "B" : "A";
    const secrets = { begins: `${clientSecret.slice(0, -1)}!`, differs: `${first}${clientSecret.slice(1)}` };
    const times = { begins: [] as number[], differs: [] as number[] };
    for (let sample = 0; sample < 1000; sample += 1) {
      const kind = sample % 2 ? "begins" : "differs";
      const start = performance.now();
      await ways["in the address"]?.([...credentials(clientId, secrets[kind]), ...GRANT, ...exchangeOf("x")]);
      times[kind].push(performance.now() - start);
    }
    const ratio = median(times.begins) / median(times.differs);
    expect(ratio).toBeGreaterThan(1 / 1.3);
    expect(ratio).toBeLessThan(1.3);
  });
});

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

/** RFC 6749 section 2.3.1. */
function withBasic(id: string, secret: string, fields: Fields) {
  const pair = [id, secret].map((part) => new URLSearchParams({ "": part }).toString().slice(1)).join(":");
  const headers = { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  return answer(endpoint, { method: "POST", headers, body: new URLSearchParams(fields) });
}
