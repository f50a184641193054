import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import dockerignore from "@balena/dockerignore";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const dockerfile = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", " ");
const ignored = dockerignore.default().add(readFileSync(".dockerignore", "utf8"));
/** Sources of each `COPY` from the build folder. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].map(([, sources = ""]) => sources.split(/\s+/));
const [, lastStage = ""] = /.*^FROM (.*)/ms.exec(dockerfile) ?? [];
const inLastStage = copied.flat().filter((source) => lastStage.includes(` ${source} `));

const samespotBuild = parse(readFileSync("compose.yaml", "utf8")).services.samespot.build;

const filesOf = (source: string) =>
  statSync(source).isFile() ? [source] : globSync(`${source}/**/*`).filter((file) => statSync(file).isFile());

/** Made in the build stage. */
const isGenerated = (file: string) => file.startsWith("src/db/generated/");

describe("the Dockerfile", () => {
  it.each(copied.flat())("copies %s, which exists and is not ignored by .dockerignore", (source) => {
    expect(existsSync(source)).toBe(true);
    const files = filesOf(source).filter((file) => !isGenerated(file));
    expect(files).not.toEqual([]);
    expect(files.filter((file) => ignored.ignores(file))).toEqual([]);
  });

  it("does not copy generated code from the developer's folder", () => {
    expect(ignored.ignores("src/db/generated/client.ts")).toBe(true);
  });

  it.each([".env", ".git/config", "data/secrets.json", "node_modules/node/package.json", "test/image/run.ts"])(
    "does not receive %s",
    (file) => expect(ignored.ignores(file)).toBe(true),
  );

  it("copies every file outside src that the program names", () => {
    expect(filesNamedBySource()).toContain("examples/listings.csv");
    const missing = filesNamedBySource().filter((file) => !isInImage(file));
    expect(missing).toEqual([]);
  });

  it.each(["LICENSE", "package.json", "node-version.mjs", "public/app.js", "views/layout.eta", "prisma/schema.prisma"])(
    "copies %s into the image",
    (file) => expect(isInImage(file)).toBe(true),
  );

  it("writes its version where the program looks for it", () => {
    expect(lastStage).toMatch(/^ARG VERSION=$/m);
    expect(lastStage).toMatch(/^RUN echo "\$VERSION" > VERSION$/m);
    expect(samespotBuild).toEqual({ context: ".", args: { VERSION: `\${SAMESPOT_VERSION:-}` } });
  });

  it("starts and checks existing programs", () => {
    const programs = [...dockerfile.matchAll(/CMD (\[.+\])$/gm)].map(([, json = ""]) => JSON.parse(json));
    expect(programs).toEqual([
      ["node", "src/start/healthcheck.ts"],
      ["node", "src/main.ts"],
    ]);
  });
});

const isInImage = (file: string) =>
  !ignored.ignores(file) && inLastStage.some((source) => file === source || file.startsWith(`${source}/`));

/** Files and folders outside src that a module names as "../…". */
function filesNamedBySource(): string[] {
  const modules = globSync("src/**/*.ts").filter((file) => !isGenerated(file));
  const named = modules.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"((?:\.\.\/)+\w[^"]*)"/g)].map(([, to = ""]) =>
      path.join(path.dirname(file), to),
    ),
  );
  return [...new Set(named)].filter((file) => !file.startsWith("src/") && existsSync(file));
}

describe("compose.yaml", () => {
  const text = readFileSync("compose.yaml", "utf8");
  const { services, volumes } = parse(text);
  const { samespot, postgres } = services;
  const env = Object.fromEntries(
    /^ENV (.+)$/m
      .exec(lastStage)?.[1]
      ?.split(" ")
      .map((each) => each.split("=", 2)) ?? [],
  );

  it("uses only variables that .env.example lists", () => {
    const wanted = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const listed = [...readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(wanted.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it("publishes the image's ports on this machine only", () => {
    const exposed = /^EXPOSE (.+)$/m.exec(lastStage)?.[1]?.split(" ");
    const { APP_PORT, AUTH_PORT, API_PORT } = samespot.environment;
    expect([APP_PORT, AUTH_PORT, API_PORT].map(String)).toEqual(exposed);
    expect([env.APP_PORT, env.AUTH_PORT, env.API_PORT]).toEqual(exposed);
    expect(samespot.ports).toEqual(exposed?.map((port) => `127.0.0.1:${port}:${port}`));
  });

  it("keeps the data of the image and of PostgreSQL in volumes", () => {
    expect(lastStage).toMatch(/^VOLUME \/data$/m);
    expect(env.DATA_DIR).toBe("/data");
    expect(samespot.volumes).toEqual(["data:/data"]);
    expect(postgres.volumes).toContain("database:/var/lib/postgresql");
    expect(Object.keys(volumes)).toEqual(["data", "database"]);
  });

  it("waits for a PostgreSQL with the user, password and database of DATABASE_URL", () => {
    const { POSTGRES_PASSWORD: password } = postgres.environment;
    const script = readFileSync("deploy/postgres/owner.sh", "utf8");
    const [, user] = /^CREATE ROLE (\w+) LOGIN NOSUPERUSER/m.exec(script) ?? [];
    const [, name] = /^CREATE DATABASE (\w+) OWNER/m.exec(script) ?? [];
    expect(samespot.environment.DATABASE_URL).toBe(`postgresql://${user}:${password}@postgres:5432/${name}`);
    expect(samespot.depends_on.postgres.condition).toBe("service_healthy");
    // By TCP: while the script runs, the image's PostgreSQL listens on its socket only.
    expect(postgres.healthcheck.test.join()).toContain(`pg_isready -h 127.0.0.1 -U ${user} -d ${name}`);
  });

  it("sets only variables that the program knows", () => {
    const listed = readFileSync(".env.example", "utf8");
    for (const name of Object.keys({ ...env, ...samespot.environment }).filter((each) => each !== "NODE_ENV"))
      expect(listed).toContain(`#${name}=`);
  });
});
