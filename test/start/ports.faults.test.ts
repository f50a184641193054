import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { startEmbedded } from "../../src/db/embedded/embedded.ts";
import { tryPorts } from "../../src/start/ports.ts";
import { freePort } from "../support/free-port.ts";
import { PRODUCTION } from "../support/production.ts";

const folder = mkdtempSync(path.join(tmpdir(), "samespot-places-"));

/** The settings of a start on free ports. */
async function settings() {
  const [APP_PORT, AUTH_PORT, API_PORT] = [await freePort(), await freePort(), await freePort()].map(String);
  return { ...PRODUCTION, APP_PORT, AUTH_PORT, API_PORT, DATA_DIR: path.join(folder, "data") };
}

test.each(["256.1.1.1", "203.0.113.5", "::zz", "2001:db8::1"])("F97: a start on %s names HOST", async (HOST) => {
  await expect(tryPorts(readConfig({ ...(await settings()), HOST }))).rejects.toThrow(/^HOST: /);
});

test.each(["APP_PORT", "AUTH_PORT", "API_PORT", "METRICS_PORT"])(
  "F97: a start whose %s is in use names it",
  async (setting) => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await once(other, "listening");
    const port = String((other.address() as AddressInfo).port);
    await expect(tryPorts(readConfig({ ...(await settings()), [setting]: port }))).rejects.toThrow(`${setting}: `);
  },
);

test("F97: a METRICS_PORT that is a listener's too is named", async () => {
  const given = await settings();
  await expect(tryPorts(readConfig({ ...given, METRICS_PORT: given.API_PORT }))).rejects.toThrow("METRICS_PORT: ");
});

test.each(["file", "file/below"])(
  "F97: a DATA_DIR that cannot be made (%s) is named, with secrets and with a database in it",
  async (name) => {
    writeFileSync(path.join(folder, "file"), "");
    const dir = path.resolve(folder, name);
    expect(() => readConfig({ DATA_DIR: dir })).toThrow(`DATA_DIR: the folder ${dir}`);
    await expect(startEmbedded({ dir })).rejects.toThrow(`DATA_DIR: the folder ${dir}`);
  },
);
