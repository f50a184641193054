import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { createListener } from "../../src/http/listener.ts";

const folder = mkdtempSync(path.join(tmpdir(), "samespot-tls-"));
const files = { cert: path.join(folder, "cert.pem"), key: path.join(folder, "key.pem") };

async function makePair(name: string) {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], { keySize: 2048 });
  return { cert: Buffer.from(cert), key: Buffer.from(key) };
}

test("F98: a renewed certificate is used without a restart, and a pair that cannot be used leaves the former in use", async () => {
  const [first, second] = await Promise.all([makePair("first.example"), makePair("second.example")]);
  const said: string[] = [];
  const say = (line: unknown) => void said.push(String(line));
  const log = { info: say, warn: say };
  const server = createListener({ tls: { ...first, files }, log, isBehindProxy: false, renewEveryMs: 20 })(() => {});
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const shown = () =>
    new Promise<unknown>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      }).on("error", reject);
    });
  await expect.poll(() => said).toHaveLength(1);
  expect(said[0]).toMatch(/TLS_CERT.*former stay.*ENOENT/);
  for (const [cert, key] of [
    [second.cert, first.key],
    [Buffer.from("-----BEGIN CERTIFICATE-----\ncut off"), second.key],
    [Buffer.alloc(0), Buffer.alloc(0)],
  ] as const) {
    said.length = 0;
    writeFileSync(files.cert, cert);
    writeFileSync(files.key, key);
    await expect.poll(() => said.length).toBeGreaterThan(0);
    expect(said.at(-1)).toMatch(/TLS_CERT.*former stay/);
    expect(await shown()).toBe("first.example");
  }
  writeFileSync(files.cert, second.cert);
  writeFileSync(files.key, second.key);
  await expect.poll(shown).toBe("second.example");
  expect(said.at(-1)).toMatch(/TLS_CERT and TLS_KEY have changed; new connections use them/);
});
