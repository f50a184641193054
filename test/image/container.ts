import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { run } from "./command.ts";

/** The part of `buildah inspect` that a container needs. */
export interface ImageConfig {
  Env: string[];
  User: string;
  WorkingDir: string;
  Cmd: string[];
  Volumes: Record<string, object>;
  /** `Test` begins with "CMD"; `Timeout` and `StartPeriod` are in nanoseconds. */
  Healthcheck: { Test: string[]; Timeout: number; StartPeriod: number };
}

export type Container = ReturnType<typeof openContainer>;

/**
 * Runs an image, whose files are in `root`, like Docker with `read_only`, `tmpfs: /tmp` and `cap_drop: ALL`, with `environment` in
 * addition to its own. Call it in separate namespaces, whose end removes the mounts.
 */
export function openContainer(root: string, config: ImageConfig, environment: Record<string, string>) {
  const inside = mountAll(root, config);
  const image = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s, 2)));
  const env = { ...image, HOME: `/home/${config.User}`, ...environment };
  const user = ["--reuid", config.User, "--regid", config.User, "--init-groups"];
  const rights = ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
  const within = [inside, "env", `--chdir=${config.WorkingDir}`, "setpriv", ...user, ...rights, "--"];

  const start = (command: string[], timeout?: number) =>
    spawn("chroot", [...within, ...command], { env, stdio: ["pipe", "pipe", "pipe"], ...(timeout && { timeout }) });

  return {
    /** The root folder of its processes. */
    inside,
    start: () => logged(start(config.Cmd)),
    /** Like `docker exec`. */
    async exec(command: string[], { input = "", timeout }: { input?: string; timeout?: number } = {}) {
      const child = start(command, timeout);
      child.stdin.on("error", () => {}).end(input);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      return { code: code as number | null, stdout, stderr };
    },
    async isHealthy(): Promise<boolean> {
      const [, ...command] = config.Healthcheck.Test;
      return (await this.exec(command, { timeout: config.Healthcheck.Timeout / 1e6 })).code === 0;
    },
  };
}

function mountAll(root: string, { Volumes }: ImageConfig): string {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-container-"));
  const inside = path.join(folder, "root");
  mkdirSync(inside);
  run("mount", ["--bind", root, inside]);
  run("mount", ["--options", "remount,bind,ro", inside]);
  for (const name of ["proc", "dev"]) run("mount", ["--rbind", `/${name}`, path.join(inside, name)]);
  mountEmpty(path.join(inside, "tmp"), "mode=1777");
  for (const volume of Object.keys(Volumes)) {
    const { uid, gid, mode } = statSync(path.join(root, volume)); // a new volume gets the folder's owner
    mountEmpty(path.join(inside, volume), `uid=${uid},gid=${gid},mode=${(mode & 0o777).toString(8)}`);
  }
  const hosts = path.join(folder, "hosts");
  writeFileSync(hosts, "127.0.0.1 localhost\n");
  run("mount", ["--bind", hosts, path.join(inside, "etc/hosts")]);
  return inside;
}

const mountEmpty = (folder: string, options: string) =>
  run("mount", ["--types", "tmpfs", "--options", options, "tmpfs", folder]);

/** Collects the output of a process. */
function logged(child: ChildProcessWithoutNullStreams) {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "exit").then(([code, signal]: (number | string | null)[]) => code ?? signal);
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Like `docker stop`. Returns the exit code, or the signal that ended it. */
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
