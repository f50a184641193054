import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { addApplication } from "../../src/directory/applications/applications.ts";
import { directoryDeps } from "../../src/directory/deps.ts";
import { addUser } from "../../src/directory/users.ts";
import { freeAddresses, startSamespot } from "../support/samespot.ts";
import { startTlsFront } from "./tls-front.ts";

/** A person who allows the client. */
export const PERSON = {
  handle: "ada",
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.org",
  password: "correct horse battery",
};

/** A person who denies it. */
export const SCEPTIC = { handle: "bob", password: "battery staple correct" };

/** Starts a directory with these people and a registered client. Call it at the top of a test file. */
export async function directoryForClients(redirectUri: string, env: Record<string, string> = {}) {
  const samespot = await startSamespot({ env: { ROLES: "directory", SAMPLE_DATA: "off", ...env } });
  const deps = directoryDeps(samespot);
  const { id: ownerId } = await addUser(deps, PERSON);
  await addUser(deps, SCEPTIC);
  const client = await addApplication(deps, { ownerId, name: "Old client", redirectUris: [redirectUri] });
  return { ...samespot, deps, client };
}

/** Like directoryForClients(), but reached as https://foursquare.com and https://api.foursquare.com through a TLS front. */
export async function directoryBehindFront(redirectUri: string) {
  const { AUTH_URL, BASE_URL } = await freeAddresses();
  const [authPort, apiPort] = [new URL(AUTH_URL).port, new URL(BASE_URL).port];
  const directory = await directoryForClients(redirectUri, {
    AUTH_URL: "https://foursquare.com",
    BASE_URL: "https://api.foursquare.com",
    AUTH_PORT: authPort,
    API_PORT: apiPort,
    TRUST_PROXY: "127.0.0.0/8",
  });
  const front = await startTlsFront({ "foursquare.com": Number(authPort), "api.foursquare.com": Number(apiPort) });
  return { ...directory, front };
}

export async function startSite(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => {
    Promise.resolve(answer(request, response)).catch((error) => response.writeHead(500).end(String(error)));
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => server.close());
  return { url: () => `http://localhost:${(server.address() as AddressInfo).port}` };
}
