import { type IncomingHttpHeaders, request } from "node:http";
import { networkInterfaces } from "node:os";
import { beforeAll, describe, expect, it } from "vitest";
import { CALLBACK, runningDirectory, V } from "../running-directory.ts";

/** Trusts a proxy on this machine, and listens on all interfaces. */
const behindProxy = await runningDirectory({ env: { HOST: "0.0.0.0", TRUST_PROXY: "127.0.0.1" } });
/** Trusts only a proxy elsewhere. */
const byItself = await runningDirectory({ env: { TRUST_PROXY: "192.0.2.1" } });

/** A non-loopback address of this machine, for calls without a loopback peer. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

const clients = new Map<typeof byItself, Record<string, string>>();
beforeAll(async () => {
  for (const directory of [behindProxy, byItself]) {
    const { clientId, clientSecret } = await directory.application();
    clients.set(directory, { client_id: clientId, client_secret: clientSecret });
  }
});

/** Calls each kind of address on both hosts, and returns statuses or redirect targets. */
async function answersOf(directory: typeof byItself, server: string, headers: Record<string, string>) {
  const client = new URLSearchParams({ v: V, ...clients.get(directory) });
  const exchange = `grant_type=authorization_code&code=x&redirect_uri=${encodeURIComponent(CALLBACK)}&${client}`;
  const addresses = [
    `${directory.api}/v2/venues/search?ll=0,0&${client}`,
    `${directory.api}/v2/nothing?${client}`,
    `${directory.auth}/oauth2/access_token?${exchange}`,
  ];
  const answers = await Promise.all(addresses.map((address) => get(address.replace("localhost", server), headers)));
  return answers.map(
    ({ status, headers: { location }, text }) =>
      location ?? (text.includes("did not use HTTPS") ? `${status}: no HTTPS` : status),
  );
}

function get(address: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const call = request(address, { headers, agent: false }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
    });
    call.on("error", reject).end();
  });
}

/** Statuses over https: a search, a missing path, an invalid code. */
const HEARD = [200, 404, 400];
const REFUSED = ["400: no HTTPS", "400: no HTTPS", "400: no HTTPS"];

describe("C02: plain http", () => {
  const SECURE = { "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9" };

  it("C02: gets an error instead of a redirect when the trusted proxy reports it or reports nothing", async () => {
    for (const headers of [
      { "x-forwarded-proto": "http", "x-forwarded-for": "203.0.113.9" },
      { "x-forwarded-proto": "http" },
      { "x-forwarded-proto": "https, http" },
      { "x-forwarded-for": "203.0.113.9" },
      { forwarded: "for=203.0.113.9;proto=https" },
      { via: "1.1 proxy" },
    ])
      expect([headers, await answersOf(behindProxy, "127.0.0.1", headers)]).toEqual([headers, REFUSED]);
    expect(await answersOf(behindProxy, "127.0.0.1", SECURE)).toEqual(HEARD);
  });

  it("C02: still gets an error when an untrusted peer claims https", async () => {
    expect(await answersOf(byItself, "127.0.0.1", {})).toEqual(HEARD); // a laptop's own
    for (const headers of [
      SECURE,
      { "x-forwarded-proto": "https" },
      { "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1" },
      { forwarded: "proto=https" },
    ])
      expect([headers, await answersOf(byItself, "127.0.0.1", headers)]).toEqual([headers, REFUSED]);
  });

  it.skipIf(!outside)("C02: gets an error from another machine, even with forged headers", async () => {
    for (const headers of [
      {},
      SECURE,
      { "x-forwarded-proto": "https", "x-forwarded-for": "127.0.0.1" },
      { "front-end-https": "on", "x-forwarded-ssl": "on", "x-url-scheme": "https" },
    ])
      expect([headers, await answersOf(behindProxy, outside ?? "", headers)]).toEqual([headers, REFUSED]);
  });
});
