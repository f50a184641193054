import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { dataFolder } from "../support/samespot.ts";

const READY_WITHIN_MS = 60_000;

/** Starts OpenRefine on a free port, with little memory and without a browser. Close it after the tests. */
export async function startOpenRefine(program: string) {
  const port = await freePort();
  const folder = dataFolder();
  mkdirSync(folder, { recursive: true });
  const args = ["-i", "127.0.0.1", "-p", String(port), "-d", folder, "-m", "256M", "-x", "refine.headless=true"];
  // Its scripts start Java as a child, so this ends the process group.
  const child = spawn(program, args, { detached: true, stdio: "ignore" });
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // has ended
    }
  };
  process.once("exit", end);
  const exited = once(child, "exit");
  const close = async () => {
    end();
    await exited;
    process.off("exit", end);
  };
  const url = `http://127.0.0.1:${port}`;
  for (const begun = performance.now(); !(await answers(url)); await sleep(200))
    if (performance.now() - begun > READY_WITHIN_MS) {
      await close();
      throw new Error("OpenRefine was not ready within a minute.");
    }
  return { url, close };
}

/** While it loads its modules, it returns errors. */
async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/command/core/get-version`)).ok;
  } catch {
    return false;
  }
}
