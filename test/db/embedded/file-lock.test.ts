import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { tryFileLock, withFileLock } from "../../../src/db/embedded/file-lock.ts";

const file = () => path.join(mkdtempSync(path.join(inject("run").folder, "lock-")), "lock");

test("a lock runs one task at a time", async () => {
  const lock = file();
  let running = 0;
  const work = async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withFileLock(lock, 10_000, work)));
});

test("a lock is released when its task fails and when its process is killed", async () => {
  const lock = file();
  const failing = withFileLock(lock, 1000, () => Promise.reject(new Error("failed")));
  await expect(failing).rejects.toThrow("failed");

  const source = path.join(import.meta.dirname, "../../../src/db/embedded/file-lock.ts");
  const program = `import { tryFileLock } from ${JSON.stringify(source)};
    console.log(typeof tryFileLock(process.argv[1]));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, lock]);
  expect(String((await once(child.stdout, "data"))[0])).toBe("function\n");
  expect(tryFileLock(lock)).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "exit");
  const release = tryFileLock(lock);
  expect(release).toBeDefined();
  release?.();
});

test("a lock that times out names its holder", async () => {
  const lock = file();
  const release = tryFileLock(lock);
  await expect(withFileLock(lock, 100, async () => {})).rejects.toThrow(`Another process has been holding ${lock}`);
  release?.();
});
