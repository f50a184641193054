import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { json, text } from "node:stream/consumers";
import { generate } from "selfsigned";
import { afterAll } from "vitest";

/**
 * Serves https://foursquare.com and https://api.foursquare.com for clients with these fixed hosts: an https server with a
 * certificate for both that forwards requests to the port in `ports` for their Host.
 */
export async function startTlsFront(ports: Record<string, number>) {
  const authority = await generate([{ name: "commonName", value: "The test's own authority" }], {
    ...STRONG,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  const altNames = Object.keys(ports).map((value) => ({ type: 2 as const, value }));
  const own = await generate([{ name: "commonName", value: altNames[0]?.value ?? "" }], {
    ...STRONG,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: "subjectAltName", altNames }],
  });
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-front-"));
  const authorityFile = path.join(folder, "authority.pem");
  writeFileSync(authorityFile, authority.cert);

  const server = createServer({ cert: own.cert, key: own.private }, (incoming, outgoing) => {
    const { method, url, headers, socket } = incoming;
    const port = ports[headers.host ?? ""];
    const passedOn = { ...headers, "x-forwarded-proto": "https", "x-forwarded-for": socket.remoteAddress };
    const onward = request({ host: "127.0.0.1", port, method, path: url, headers: passedOn }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  return { port: (server.address() as AddressInfo).port, authorityFile };
}

const STRONG = { keyType: "ec", algorithm: "sha256" } as const;

/**
 * Runs a program of this folder with `input` on its standard input, and returns its JSON output. The program trusts the front's
 * certificate, and known-hosts.ts redirects its connections.
 */
export async function runBehindFront<T>(
  front: Awaited<ReturnType<typeof startTlsFront>>,
  program: string,
  input: object,
): Promise<T> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program)], {
    env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: front.authorityFile, FRONT_PORT: String(front.port) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(JSON.stringify(input));
  const complaints = text(child.stderr);
  const answer = json(child.stdout).catch(async (error) => {
    throw new Error(`${program} returned no JSON: ${await complaints}`, { cause: error });
  });
  return (await answer) as T;
}
