import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { callJson } from "../../../src/directory-client/calls/call-json.ts";
import { createOutbound } from "../../../src/directory-client/calls/outbound.ts";
import { logInUnvisited, startWeb } from "../../web/web-app.ts";

/** Closes each connection after its response, so that the next call opens a new one. */
const heard = { connections: 0 };
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json", connection: "close" }).end(`"${request.url}"`);
});
server.on("connection", (socket) => {
  heard.connections += 1;
  socket.on("error", () => {});
});
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;

const closing: { destroy(): Promise<void> }[] = [];
beforeEach(() => {
  heard.connections = 0;
});
afterAll(async () => {
  await Promise.all(closing.map((each) => each.destroy()));
  server.close();
});

/** A fake DNS: the addresses of a name for each look-up. */
const names = new Map<string, string[][]>();
const lookup: LookupFunction = (name, _options, callback) => {
  const answers = names.get(name) ?? [];
  const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  setImmediate(() =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    ),
  );
};

type Options = Omit<NonNullable<Parameters<typeof createOutbound>[0]>, "lookup">;

/** Calls the address like the web app does. Returns the body or the reason of the failure. */
async function call(address: string, options: Options = {}, deadlineMs = 1000): Promise<unknown> {
  const dispatcher = createOutbound({ ...options, lookup });
  closing.push(dispatcher);
  return callJson({ dispatcher, deadlineMs }, new URL(address), { maxBytes: 1000 }).then(
    ({ body }) => body,
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );
}
const named = (...answers: string[][]) => {
  names.set("directory.test", answers);
  return `http://directory.test:${port}/v2`;
};

const CLOSED = [
  ...["0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "192.0.0.192", "100.100.100.200", "224.0.0.1"],
  ...["168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::a83f:8110"],
  ...["239.255.255.255", "255.255.255.255", "240.0.0.1", "::", "fe80::1", "febf::1", "fec0::1", "ff02::1"],
  ...["fd00:ec2::254", "::ffff:169.254.169.254", "::ffff:0.0.0.0", "::ffff:255.255.255.255", "64:ff9b::a9fe:a9fe"],
  ...["64:ff9b::169.254.169.254", "::169.254.169.254", "2002:a9fe:a9fe::1", "2001:0:a9fe::1"],
];
const PRIVATE = [
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255"],
  ...["198.18.0.1", "fc00::1", "fd12:3456::1", "::ffff:10.0.0.1", "::ffff:192.168.1.1", "64:ff9b::10.0.0.1"],
];
const LOOPBACK = ["127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1"];

/** Brackets IPv6 addresses. */
const host = (address: string) => (address.includes(":") ? `[${address}]` : address);

describe("W20: a connection to the directory", () => {
  it("W20: is never made to an address that cannot be a directory's, by name or number, under any settings", async () => {
    for (const options of [{}, { allowPrivate: true, allowLoopback: true }])
      for (const address of CLOSED) {
        expect([address, await call(named([address]), options)]).toEqual([
          address,
          expect.stringContaining("no directory"),
        ]);
        const literal = `https://${host(address)}:${port}/v2`;
        expect([literal, await call(literal, options)]).toEqual([literal, expect.stringContaining("no directory")]);
      }
    for (const disguised of ["0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518"])
      expect([disguised, await call(`https://${disguised}/`)]).toEqual([
        disguised,
        expect.stringContaining("169.254.0.0/16"),
      ]);
    expect(heard.connections).toBe(0);
  });

  it("W20: is made to a private network only where allowed, and the error names the setting", async () => {
    for (const address of PRIVATE)
      for (const target of [named([address]), `https://${host(address)}:${port}/v2`]) {
        const refused = expect.stringMatching(/private network \([^)]+\/\d+\), see PRIVATE_DIRECTORY/);
        expect([target, address, await call(target)]).toEqual([target, address, refused]);
        expect([target, address, await call(target, { allowLoopback: true })]).toEqual([target, address, refused]);
        const tried = await call(target, { allowPrivate: true }, 50);
        expect([target, address, tried]).toEqual([target, address, expect.not.stringContaining("not connected")]);
      }
  });

  it("W20: is made to this machine only for a loopback address in the settings or beside our own directory", async () => {
    for (const address of LOOPBACK) {
      const refused = expect.stringContaining("an address of this machine");
      expect([address, await call(named([address]))]).toEqual([address, refused]);
      expect([address, await call(named([address]), { allowPrivate: true })]).toEqual([address, refused]);
    }
    expect(heard.connections).toBe(0);
    expect(await call(named(["127.0.0.1"]), { allowLoopback: true })).toBe("/v2");
    names.set("localhost", [["127.0.0.1"]]);
    for (const own of ["localhost", "127.0.0.1"])
      expect([own, await call(`http://${own}:${port}/v2`)]).toEqual([own, "/v2"]);
  });

  it("W20: over plain http stays on loopback, even for a name below localhost", async () => {
    for (const elsewhere of ["203.0.113.5", "10.0.0.1", "2606:4700::1"]) {
      names.set("directory.localhost", [[elsewhere]]);
      const outcome = await call(`http://directory.localhost:${port}/v2`, { allowLoopback: true, allowPrivate: true });
      expect([elsewhere, outcome]).toEqual([
        elsewhere,
        expect.stringContaining("a loopback name with an address elsewhere"),
      ]);
    }
  });

  it("W20: uses only the allowed ones of several addresses", async () => {
    const mixed = named(["169.254.169.254", "10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1"]);
    expect(await call(mixed, { allowLoopback: true })).toBe("/v2");
    expect(await call(named([]))).toContain("not connected");
  });

  it("W20: is checked at every call, so that a name cannot switch to an internal address", async () => {
    const dispatcher = createOutbound({ allowLoopback: true, lookup });
    closing.push(dispatcher);
    // The name first resolves to the listener, which stands for an external server, then to an internal address.
    const url = new URL(named(["127.0.0.1"], ["169.254.169.254"], ["10.0.0.1"], ["127.0.0.1"]));
    const ask = () => callJson({ dispatcher, deadlineMs: 1000 }, url, { maxBytes: 100 }).then(({ body }) => body);
    expect(await ask()).toBe("/v2");
    await expect(ask()).rejects.toMatchObject({
      kind: "unreachable",
      cause: { message: expect.stringContaining("169.254") },
    });
    await expect(ask()).rejects.toMatchObject({ cause: { message: expect.stringContaining("10.0.0.0/8") } });
    expect(heard.connections).toBe(1);
    expect(await ask()).toBe("/v2");
  });
});

describe("the web app", async () => {
  const nearby = { ROLES: "app", BASE_URL: "https://10.20.30.40" };
  const closed = await startWeb({ env: nearby });
  const open = await startWeb({ env: { ...nearby, PRIVATE_DIRECTORY: "on" }, deadlineMs: 200 });
  const ofClouds = await startWeb({
    env: { ROLES: "app", AUTH_URL: "https://169.254.169.254", PRIVATE_DIRECTORY: "on" },
  });

  it.each([
    ["whose directory is in a private network", closed, "a private network (10.0.0.0/8), see PRIVATE_DIRECTORY", true],
    ["that is allowed to go there", open, "not connected", false],
    [
      "whose directory is where a cloud keeps secrets",
      ofClouds,
      "an address that no directory may have (169.254.0.0/16)",
      true,
    ],
  ])("W20: %s shows a neutral error, and only the log has the reason", async (_case, web, why, isRefused) => {
    const { page, code } = await logInUnvisited(web);
    expect([page.status, page.body.includes("10.20"), page.body.includes("169.254")]).toEqual([503, false, false]);
    expect(web.logs.text().includes(why)).toBe(isRefused);
    expect(web.logs.text()).not.toContain(code);
  });
});
