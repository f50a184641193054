import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";

/**
 * Answers as the servers in the folder HOSTS do, each a file with what the script is told by it. Who is promoted takes writes. Notes what the
 * console is told.
 */
const PSQL = `#!/bin/sh
for each in "$@"; do
  case $before in --host) host=$each ;; --port) port=$each ;; --command) command=$each ;; esac
  before=$each
done
if [ -z "$host" ]; then echo "$command" >> "$HOSTS/console"; exit; fi
[ -e "$HOSTS/$host:$port" ] || { echo "no answer" >&2; exit 2; }
if [ -n "$command" ]; then cat "$HOSTS/$host:$port"; else
  cat > /dev/null
  echo primary > "$HOSTS/$host:$port"
fi
`;

const UNDONE = { target: "host=one port=5432", console: ["PAUSE", "RESUME"] };
const leadingTo = (host: string, port = "5432") => ({
  ...{ code: 0, target: `host=${host} port=${port}`, console: ["PAUSE", "RELOAD", "RESUME"] },
});

describe("failover.sh", () => {
  test.each([
    [["two", "three"], { two: "1 100", three: "1 90" }, "two"],
    [["two", "three"], { two: "1 90", three: "1 100" }, "three"],
    [["three", "two"], { two: "1 100", three: "1 90" }, "two"],
    [["two", "three"], { two: "1 9", three: "1 10" }, "three"],
    [["two", "three", "four"], { two: "2 4398046511104", three: "2 4398046511106", four: "2 4398046511105" }, "three"],
    [["four", "three", "two"], { two: "1 0", three: "1 1", four: "1 0" }, "three"],
    [["two", "three"], { two: "1 100", three: "1 100" }, "two"],
    [["two"], { two: "1 100", three: "1 200" }, "two"],
    [["two"], { two: "starting" }, "two"],
    [["two", "three"], { two: "1 100", three: "primary" }, "three"],
    [["two", "three"], { two: "primary", three: "2 300" }, "two"],
  ])("F100: of %j with %j promotes %s, and says what is left to do for the others", async (named, servers, chosen) => {
    const { stdout, ...done } = await failOver(named, servers);
    expect(done).toEqual({ ...leadingTo(chosen), stderr: "" });
    expect(stdout).toContain(`The new primary is ${chosen}`);
    for (const other of named)
      expect(stdout.includes(`${other} still follows the lost primary: let it follow ${chosen}`)).toBe(
        other !== chosen,
      );
  });

  test.each([
    [["two", "three"], { two: "1 100" }, "three does not answer"],
    [["three", "two"], { two: "1 100" }, "three does not answer"],
    [["two"], {}, "two does not answer"],
    [["two", "three"], { two: "1 100", three: "2 90" }, "two is on timeline 1 and three on 2"],
    [["two", "three"], { two: "primary", three: "primary" }, "two and three both take writes"],
    [["two", "5432"], { two: "1 100" }, "5432 does not answer"],
  ])("F100: of %j with %j promotes none: %s", async (named, servers, why) => {
    expect(await failOver(named, servers)).toMatchObject({ ...UNDONE, code: 1, stderr: expect.stringContaining(why) });
  });

  test("F100: a replica that reads its own log after a start is asked again", async () => {
    const asked = failOver(["two", "three"], { two: "1 100", three: "starting" }, { three: "1 200" });
    expect(await asked).toMatchObject(leadingTo("three"));
  });

  test("takes ports and IPv6 addresses", async () => {
    expect(await failOver(["two:6000", "fd00::3"], { "two:6000": "1 7", "fd00::3": "1 5" })).toMatchObject(
      leadingTo("two", "6000"),
    );
    expect(await failOver(["two:6000", "fd00::3"], { "two:6000": "1 5", "fd00::3": "1 7" })).toMatchObject(
      leadingTo("fd00::3"),
    );
  });

  test("without a host says how it is called", async () => {
    expect(await failOver([], {})).toMatchObject({
      code: 1,
      console: [],
      stderr: expect.stringContaining("failover.sh HOST"),
    });
  });
});

/** `later` is what servers answer after a moment. */
async function failOver(named: string[], servers: Record<string, string>, later: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "samespot-failover-"));
  const [bin, hosts, ini] = ["bin", "hosts", "pgbouncer.ini"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [bin, hosts]) mkdirSync(each);
  const tell = (answers: Record<string, string>) => {
    for (const [name, answer] of Object.entries(answers))
      writeFileSync(path.join(hosts, /^\w+$|::/.test(name) ? `${name}:5432` : name), `${answer}\n`);
  };
  tell(servers);
  writeFileSync(path.join(hosts, "console"), "");
  writeFileSync(ini, "[databases]\nsamespot = host=one port=5432\n");
  writeFileSync(path.join(bin, "psql"), PSQL);
  chmodSync(path.join(bin, "psql"), 0o755);
  const child = spawn("sh", ["deploy/pgbouncer/failover.sh", ...named], {
    env: { PATH: `${bin}:${process.env.PATH}`, HOSTS: hosts, PGBOUNCER_INI: ini },
  });
  setTimeout(tell, 300, later);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const [, target] = /samespot = (.*)/.exec(readFileSync(ini, "utf8")) ?? [];
  const console = readFileSync(path.join(hosts, "console"), "utf8").trim().split("\n").filter(Boolean);
  return { code, stdout, stderr, target, console };
}
