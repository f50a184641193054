import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, inject } from "vitest";
import { connectBare } from "../../../src/db/connections.ts";
import { freePort } from "../free-port.ts";

export const PGBOUNCER = process.env.PGBOUNCER ?? "/usr/sbin/pgbouncer";

/** CI installs Debian's package if it is root (.ci/run), so there the tests run, and fail without it. */
export const hasPgBouncer = existsSync(PGBOUNCER) || (process.env.CI !== undefined && process.getuid?.() === 0);

/**
 * Starts PgBouncer in transaction mode before the server of `target`, and ends it after the file's last test. Its pools
 * are small, so that consecutive transactions run on different connections.
 */
export async function startPgBouncer(target: string, more: Record<string, string | number> = {}) {
  const { hostname, port, username, password } = new URL(target);
  const folder = mkdtempSync(path.join(inject("run").folder, "pgbouncer-"));
  chmodSync(folder, 0o755); // as root it runs as another user
  const users = path.join(folder, "users.txt");
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  const own = await freePort();
  const settings = {
    ...{
      listen_addr: "127.0.0.1",
      listen_port: own,
      unix_socket_dir: "",
      auth_type: "scram-sha-256",
      auth_file: users,
      admin_users: decodeURIComponent(username),
    },
    ...{ pool_mode: "transaction", default_pool_size: 5, max_client_conn: 300, server_round_robin: 1, ...more },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = path.join(folder, "pgbouncer.ini");
  const lead = ({ hostname, port }: Pick<URL, "hostname" | "port">) =>
    writeFileSync(file, `[databases]\n* = host=${hostname} port=${port || 5432}\n[pgbouncer]\n${lines.join("\n")}\n`);
  lead({ hostname, port });
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(PGBOUNCER, [...asUser, file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const exited = once(child, "exit");
  const close = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  afterAll(close);
  while (!(await isListening(own))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${output}`);
    await sleep(20);
  }
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  const admin = new URL(url);
  admin.pathname = "pgbouncer";
  /** Of its console, such as PAUSE. */
  const command = async (text: string) => {
    const client = await connectBare({ connectionString: admin.href });
    await client.query(text).finally(() => client.end());
  };
  const leadTo = async (server: string) => {
    lead(new URL(server));
    await command("RELOAD");
  };
  return { url: url.href, output: () => output, command, leadTo, close };
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  const [isOpen] = await Promise.race([
    once(socket, "connect").then(() => [true]),
    once(socket, "error").then(() => [false]),
  ]).catch(() => [false]);
  socket.destroy();
  return isOpen === true;
}
