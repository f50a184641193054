import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { installClients } from "./install.ts";

/** Makes a package with one dependency from `address`, not installed. */
function packageWith(address: string, settings = ""): string {
  const folder = mkdtempSync(path.join(inject("run").folder, "clients-"));
  const write = (file: string, content: object) => writeFileSync(path.join(folder, file), JSON.stringify(content));
  const own = { name: "clients", version: "1.0.0", dependencies: { dependency: address } };
  const installed = address.startsWith("file:")
    ? { dependency: { version: "1.0.0" }, "node_modules/dependency": { resolved: "dependency", link: true } }
    : { "node_modules/dependency": { version: address } };
  write("package.json", own);
  write("package-lock.json", { ...own, lockfileVersion: 3, packages: { "": own, ...installed } });
  mkdirSync(path.join(folder, "dependency"));
  write("dependency/package.json", { name: "dependency", version: "1.0.0" });
  writeFileSync(path.join(folder, ".npmrc"), settings);
  return folder;
}

const dependencies = (folder: string) =>
  readdirSync(path.join(folder, "node_modules")).filter((name) => /^\w/.test(name));

it("installs the clients once for concurrent test runs, and again when package-lock.json changes", async () => {
  const folder = packageWith("file:dependency");
  expect(await Promise.all([installClients(folder), installClients(folder)])).toEqual([undefined, undefined]);
  expect(dependencies(folder)).toEqual(["dependency"]);

  rmSync(path.join(folder, "node_modules/dependency"));
  expect([await installClients(folder), dependencies(folder)]).toEqual([undefined, []]);

  writeFileSync(path.join(folder, "package-lock.json"), "\n", { flag: "a" });
  expect([await installClients(folder), dependencies(folder)]).toEqual([undefined, ["dependency"]]);
});

it("explains an unreachable registry, and retries next time", async () => {
  const registry = `http://127.0.0.1:${await freePort()}/`;
  const folder = packageWith("1.0.0", `registry=${registry}\ncache=cache\n`);
  for (const attempt of [1, 2])
    expect(await installClients(folder), `attempt ${attempt}`).toMatch(
      /^npm could not install.+npm ci --prefix test\/clients.+ECONNREFUSED/s,
    );
});
