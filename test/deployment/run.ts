// `npm run deployment`: tests the files of deploy/ with the real programs: systemd, Caddy, docker-compose, PostgreSQL and PgBouncer. As
// root on Debian installs them if needed; otherwise prints that it was skipped. Ends with "N passed, N failed".
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { installDebian } from "../support/debian.ts";
import { testDatabases } from "./databases.ts";
import { outputOf } from "./outside.ts";

const PACKAGES = {
  caddy: "caddy",
  "docker-compose": "docker-compose",
  pgbouncer: "pgbouncer",
  psql: "postgresql",
  setpriv: "util-linux",
  "systemd-analyze": "systemd",
};
const UNITS = globSync("deploy/systemd/*.{service,timer}");
const SERVICES = UNITS.filter((unit) => unit.endsWith(".service"));
/** Of 10: what systemd calls safe. */
const EXPOSED_AT_MOST = 20;

const HOSTS = { APP_HOST: "samespot.example.org", AUTH_HOST: "login.example.org", API_HOST: "api.example.org" };

const CHECKS: Record<string, () => unknown> = {
  "systemd accepts the units": () => {
    const complaints = outputOf("systemd-analyze", ["verify", ...UNITS]);
    if (UNITS.length < 3 || /samespot[-a-z]*\.(service|timer):/.test(complaints)) throw new Error(complaints);
  },
  "the services are hardened": () => {
    for (const unit of SERVICES)
      outputOf("systemd-analyze", ["security", "--offline=yes", `--threshold=${EXPOSED_AT_MOST}`, unit]);
  },
  "Caddy accepts its file": () => {
    const servers = { WEB_SERVERS: "a:3000 b:3000", AUTH_SERVERS: "a:3001 b:3001", API_SERVERS: "a:3002 b:3002" };
    const args = ["validate", "--adapter", "caddyfile", "--config", "deploy/caddy/Caddyfile"];
    outputOf("caddy", args, { ...HOSTS, ...servers });
  },
  "docker-compose accepts compose.scale.yaml": () => {
    const keys = { SESSION_SECRETS: "a", ENCRYPTION_KEYS: "b" };
    const passwords = { POSTGRES_PASSWORD: "c", SERVER_PASSWORD: "d", REPLICATION_PASSWORD: "e" };
    for (const COMPOSE_PROFILES of ["", "two-replicas"])
      outputOf("docker-compose", ["-f", "compose.scale.yaml", "config", "--quiet"], {
        ...{ ...HOSTS, ...keys, ...passwords, COMPOSE_PROFILES },
      });
  },
  "the servers' user reads and writes through PgBouncer, owns nothing, and its writes reach both replicas, of which the one ahead takes over":
    testDatabases,
};

const isThere = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const missing = Object.entries(PACKAGES).filter(([program]) => !isThere(program));
const problems = missing.flatMap(([, name]) => installDebian(name) ?? []);
if (process.getuid?.() !== 0) problems.push("only root can run PostgreSQL as another user");
if (problems.length > 0) console.log(`skipped: deploy/ was not tested: ${problems[0]}\n0 passed, 0 failed`);
else await runAll();

async function runAll(): Promise<void> {
  let passed = 0;
  for (const [name, verify] of Object.entries(CHECKS)) {
    try {
      await verify();
      console.log(`ok ${name}`);
      passed += 1;
    } catch (error) {
      console.log(`not ok ${name}\n${error instanceof Error ? error.message : error}`);
    }
  }
  const failed = Object.keys(CHECKS).length - passed;
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
