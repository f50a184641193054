import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generate } from "selfsigned";
import { Agent, fetch as call } from "undici";
import { afterAll } from "vitest";
import { freePort } from "../support/free-port.ts";
import { createHttpClient } from "../support/http-client.ts";
import { startWeb } from "../web/web-app.ts";

/**
 * Like `startWeb`, but the app serves https itself, as browsers see it in production. Call it at the top of a test
 * file.
 */
export async function startHttpsWeb(options: Parameters<typeof startWeb>[0] = {}) {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-https-"));
  const files = { TLS_CERT: path.join(folder, "cert.pem"), TLS_KEY: path.join(folder, "key.pem") };
  writeFileSync(files.TLS_CERT, cert);
  writeFileSync(files.TLS_KEY, key);
  const APP_URL = `https://localhost:${await freePort()}`;
  const web = await startWeb({ ...options, env: { ...options.env, ...files, APP_URL } });
  rmSync(folder, { recursive: true });
  const dispatcher = new Agent({ connect: { ca: cert } });
  afterAll(() => dispatcher.close());
  const tlsFetch = ((url: string, init: object) => call(url, { ...init, dispatcher })) as unknown as typeof fetch;
  const newBrowser = () => createHttpClient(APP_URL, tlsFetch);
  return { ...web, newBrowser, logIn: (browser = newBrowser()) => web.logIn(browser), tlsFetch, cert };
}

export const SESSION = "__Host-samespot";
