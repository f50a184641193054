import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { variables } from "../../src/config/variables.ts";
import { EMBEDDED_SETTINGS } from "../../src/db/server-settings.ts";

interface Service {
  image?: string;
  logging?: { driver: string; options: Record<string, string> };
  env_file?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  command?: string[];
  entrypoint?: string[];
}

const FILES = ["compose.yaml", "compose.scale.yaml"];
const read = (file: string): Record<string, Service> =>
  parse(readFileSync(file, "utf8"), { merge: true, maxAliasCount: -1 }).services;
const services = FILES.flatMap((file) =>
  Object.entries(read(file)).map(([name, service]) => ({ file, name, service })),
);

describe.each(services)("$name of $file", ({ service }) => {
  it("cannot write to its image, gain rights, or take all memory", () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
  });

  it("keeps a limited log", () => {
    expect(service.logging?.driver).toBe("json-file");
    expect(service.logging?.options).toEqual({
      "max-size": expect.stringMatching(/^\d+m$/),
      "max-file": expect.stringMatching(/^[1-9]\d?$/),
    });
  });

  it("names the minor version of PostgreSQL", () => {
    const [, tag] = /^(?:.*\/)?postgres(?::(.*))?$/.exec(service.image ?? "") ?? [];
    if (service.image?.includes("postgres")) expect(tag).toMatch(/^\d+\.\d+(-\w+)?$/);
  });

  it("mounts files that exist", () => {
    const mounted = (service.volumes ?? []).flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? []);
    expect(mounted.filter((file) => !existsSync(file))).toEqual([]);
  });
});

it.each(services.filter(({ service }) => service.command?.some((word) => word.startsWith("shared_buffers"))))(
  "$name of $file logs as little as the embedded PostgreSQL",
  ({ service }) => {
    const logged = Object.entries(EMBEDDED_SETTINGS).filter(([name]) => name.startsWith("log_"));
    expect(logged.length).toBeGreaterThan(2);
    expect(service.command).toEqual(expect.arrayContaining(logged.map((setting) => setting.join("="))));
  },
);

it("both files run the same PostgreSQL, whose minor version has a reason beside it", () => {
  const images = services.flatMap(({ service: { image = "" } }) => (image.startsWith("postgres") ? [image] : []));
  expect(images).toHaveLength(4);
  expect(new Set(images).size).toBe(1);
  for (const file of FILES)
    expect(readFileSync(file, "utf8")).toMatch(/# With its minor version, so .*\n.*\n +image: postgres:/);
});

describe("production", () => {
  const own = services.filter(({ service: { image } }) => image?.includes("SAMESPOT_IMAGE"));

  it("is set by the image, and no compose file takes it away", () => {
    const [, lastStage = ""] = /.*^FROM (.*)/ms.exec(readFileSync("Dockerfile", "utf8")) ?? [];
    expect(lastStage).toMatch(/^ENV NODE_ENV=production /m);
    expect(own.length).toBeGreaterThan(7);
    for (const { service } of own) expect(service.environment?.NODE_ENV ?? "production").toBe("production");
  });

  it.each(globSync("deploy/systemd/*.service"))("is set by %s", (unit) => {
    expect(readFileSync(unit, "utf8")).toMatch(/^Environment=(.* )?NODE_ENV=production( |$)/m);
  });
});

it("BACKUP_KEY reaches the services that make backups, and with the owner's password no server", () => {
  expect(read("compose.yaml").samespot?.env_file).toBe(".env");
  const having = Object.entries(read("compose.scale.yaml")).filter(([, { environment }]) => environment?.BACKUP_KEY);
  expect(having.map(([name, { environment }]) => [name, environment?.BACKUP_KEY])).toEqual([
    ["migrate", `$${"{BACKUP_KEY:-}"}`],
  ]);
});

describe("compose.scale.yaml", () => {
  const scale = read("compose.scale.yaml");
  const servers = Object.entries(scale).filter(([name]) => /^(web|directory|worker)-\d$/.test(name));

  it("runs two processes of each role", () => {
    const roles = servers.map(([, { environment }]) => environment?.ROLES);
    expect(roles).toEqual(["app", "app", "directory", "directory", "worker", "worker"]);
  });

  it("publishes nothing but Caddy", () => {
    const published = Object.entries(scale).filter(([, { ports }]) => ports);
    expect(published.map(([name]) => name)).toEqual(["caddy"]);
  });

  it("gives the password of the tables' owner to no server", () => {
    for (const [, service] of servers) expect(JSON.stringify(service)).not.toContain("POSTGRES_PASSWORD");
  });

  it("leads Caddy to every server by its port", () => {
    const { WEB_SERVERS, AUTH_SERVERS, API_SERVERS } = scale.caddy?.environment ?? {};
    expect(WEB_SERVERS).toBe("web-1:3000 web-2:3000");
    expect(AUTH_SERVERS).toBe("directory-1:3001 directory-2:3001");
    expect(API_SERVERS).toBe("directory-1:3002 directory-2:3002");
  });

  it("has two replicas, each with a volume and a name of its own, which docs/scaling.md lets commits wait for", () => {
    const replicas = Object.entries(scale).filter(([, { entrypoint }]) => entrypoint?.includes("/replica.sh"));
    const names = replicas.map(([, { environment }]) => environment?.REPLICA_NAME);
    expect(names).toEqual(["replica", "replica_2"]);
    const volumes = replicas.map(([name, { volumes }]) => [name, volumes?.[0]]);
    expect(volumes).toEqual(replicas.map(([name]) => [name, `${name}:/var/lib/postgresql`]));
    expect(readFileSync("docs/scaling.md", "utf8")).toContain(
      `synchronous_standby_names = 'ANY 1 (${names.join(", ")})'`,
    );
    for (const [, { environment }] of servers)
      expect(environment?.DIRECT_DATABASE_URL).toContain(`@primary:5432,${replicas.map(([name]) => `${name}:5432`)}/`);
  });

  it("sets only variables that the program knows", () => {
    const known = readFileSync(".env.example", "utf8");
    const names = [...servers.map(([, each]) => each), scale.migrate].flatMap((each) =>
      Object.keys(each?.environment ?? {}),
    );
    expect([...new Set(names)].filter((name) => !known.includes(`#${name}=`))).toEqual([]);
  });

  it("passes on every setting of .env that its servers may have", () => {
    const all = Object.keys(variables.shape);
    const passed = Object.keys({ ...scale["web-1"]?.environment });
    expect(all.filter((name) => !passed.includes(name)).sort()).toEqual(Object.keys(NOT_PASSED).sort());
  });
});

const NOT_PASSED = {
  BACKUP_KEY: "of migrate, which makes the backups",
  CLIENT_ID: "of another directory",
  CLIENT_SECRET: "of another directory",
  DATA_DIR: "fixed by the image",
  DRAIN_SECONDS: "fixed beside stop_grace_period",
  METRICS_PORT: "fixed by the image",
  NODE_ENV: "fixed by the image",
  SAMPLE_DATA: "for a first look",
  TLS_CERT: "of Caddy",
  TLS_KEY: "of Caddy",
};
