import { beforeAll, describe, expect, it } from "vitest";
import { assetBase } from "../../../src/http/files/assets.ts";
import { rawRequest } from "../../directory/auth/auth-host.ts";
import { runningApps } from "../running-apps.ts";
import { rawExchange } from "../running-directory.ts";

const apps = await runningApps({ instances: 1 });
let cookie = "";

beforeAll(async () => {
  const member = apps.newBrowser();
  await apps.logIn(member);
  cookie = [...member.cookies].map((pair) => pair.join("=")).join("; ");
});

describe("W18: a file that a server could expose by mistake", () => {
  const FILES = [
    ...[
      "/.env",
      "/.env.local",
      "/.git/config",
      "/.git/HEAD",
      "/.npmrc",
      "/.dockerignore",
      "/.DS_Store",
      "/.well-known/",
    ],
    ...["/package.json", "/package-lock.json", "/tsconfig.json", "/Dockerfile", "/compose.yaml", "/data/secrets.json"],
    ...[
      "/src/main.ts",
      "/src/config.ts",
      "/prisma/schema.prisma",
      "/views/layout.eta",
      "/node_modules/pg/package.json",
    ],
    ...[
      "/server-status",
      "/metrics",
      "/debug",
      "/phpinfo.php",
      "/backup.sql",
      "/app.js",
      "/app.js.map",
      "/assets",
      "/assets/",
    ],
  ];
  const ASCENTS = [
    "..",
    "%2e%2e",
    "%2E%2e",
    ".%2e",
    "..%2f..",
    "%2e%2e%2f%2e%2e",
    "..%5c..",
    "..\\..",
    "%252e%252e",
    "....//",
    "%c0%ae%c0%ae",
    "..;",
  ];
  const SPELLINGS = [
    ...FILES,
    ...FILES.map((file) => `/${file}`),
    ...FILES.slice(0, 4).map((file) => file.replace(".", "%2e")),
    ...["", "/assets", assetBase, `${assetBase}/css`, `${assetBase}/leaflet`].flatMap((base) =>
      ASCENTS.flatMap((up) => [
        `${base}/${up}/package.json`,
        `${base}/${up}/${up}/package.json`,
        `${base}/${up}/.env.example`,
      ]),
    ),
    ...[
      "",
      "/css",
      "/css/",
      "/icons",
      "/icons/",
      "/vendor",
      "/vendor/leaflet",
      "/vendor/leaflet/",
      "/app.js.map",
      "/css/base.css",
      "/leaflet.js.map",
      "/toString",
      "/.gitignore",
      "/%00",
      "/app.js%00.css",
      "/app.js/",
      "/icons/LICENSE/..",
    ].map((path) => assetBase + path),
  ];

  it.each([apps.url, apps.authUrl, apps.apiUrl])("W18: is not found at %s, in any spelling", async (address) => {
    const { host } = new URL(address);
    for (const path of SPELLINGS) {
      if (address === apps.apiUrl && path === `${assetBase}/app.js/`) continue; // the API ignores a slash at the end
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nCookie: ${cookie}\r\n\r\n`;
      const answer = await rawExchange(address, head, 5000);
      expect([path, Number(answer.slice(9, 12))]).toEqual([path, expect.toBeOneOf([400, 404])]);
      expect([path, /"dependencies"|DATABASE_URL|Index of|PostgreSQL \d/.test(answer)]).toEqual([path, false]);
    }
    const { status } = await rawRequest(`${address}${assetBase}/app.js`, {});
    expect(status, "what is public is there").toBe(200);
  });
});
