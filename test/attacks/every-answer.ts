import { request } from "node:https";
import { expect } from "vitest";
import { assetBase } from "../../src/http/files/assets.ts";
import { answersError, hangs } from "../support/fake-directory/behaviours.ts";
import type { HttpClient, Page } from "../support/http-client.ts";
import { SESSION, type startHttpsWeb } from "./https-app.ts";

/** Collects every kind of answer of the app by purpose and caller, such as "404 page, member". */
export async function everyAnswer(web: Awaited<ReturnType<typeof startHttpsWeb>>): Promise<Record<string, Page>> {
  const answers: Record<string, Page> = {};
  async function keep(what: string, answer: Promise<Page>): Promise<void> {
    answers[what] = await answer;
    expect([what, answers[what].status]).toEqual([what, Number.parseInt(what, 10)]);
  }

  /** Runs `work` while a table of the app is missing. */
  async function broken(table: string, work: () => Promise<void>): Promise<void> {
    await web.database.pool.query(`ALTER TABLE app.${table} RENAME TO gone`);
    await work();
    await web.database.pool.query(`ALTER TABLE app.gone RENAME TO ${table}`);
  }

  const [guest, member] = [web.newBrowser(), web.newBrowser()];
  const callback = await web.beginLogin(member);
  await keep("303 callback", member.get(callback));
  const search = await member.get("/venues?query=coffee&ll=41.8,-71.4");
  const [venue = ""] = /\/venues\/[0-9a-f]{24}/.exec(search.body) ?? [];
  const PAGES = [
    "/",
    "/venues?query=coffee&ll=41.8,-71.4",
    "/venues/new",
    venue,
    "/venues/proposals",
    "/checkins",
    "/settings",
    "/settings/tokens",
    "/api/v1",
  ];
  for (const path of PAGES) await keep(`200 ${path}, member`, member.get(path));
  for (const path of ["/", "/healthz", "/readyz", "/api/v1", "/api/v1/openapi.json"])
    await keep(`200 ${path}`, guest.get(path));
  const files = ["app.js", "pages.css", "favicon.svg", "leaflet.js"].map((file) => `${assetBase}/${file}`);
  for (const path of files) await keep(`200 ${path}`, member.get(path));
  const { etag = "" } = Object.fromEntries((await guest.get(`${assetBase}/app.js`)).headers);
  await keep("304 asset", raw(web, `${assetBase}/app.js`, { "if-none-match": etag }));
  await keep("200 asset, a range", guest.get(`${assetBase}/app.js`, { range: "bytes=9999999-" }));
  await keep("404 file of streets", guest.get("/basemap/0000000000000000.pmtiles", { range: "bytes=0-9" }));
  await keep("303 /settings, guest", guest.get("/settings"));
  await keep("303 /login", guest.get("/login"));
  await keep("400 callback, guest", guest.get("/login/callback?code=x&state=y"));
  await keep("400 place, member", member.get("/venues?ll=x"));
  await keep("400 address, guest", guest.get("/%zz"));
  await keep("400 address, member", member.get("/%zz"));
  await keep("403 form, member", member.post("/settings/disconnect", {}));
  await keep("403 form, guest", guest.post("/logout", {}, { origin: "https://evil.example" }));
  await keep("401 call of the API", guest.get("/api/v1/files"));
  await keep("404 page, guest", guest.get("/nothing"));
  await keep("404 page, member", member.get("/nothing"));
  await keep("404 venue, member", member.get("/venues/nothing"));
  await keep("404 asset", guest.get(`${assetBase}/nothing.js`));
  await keep("404 old asset, member", member.get("/assets/0000000000/app.js"));
  await keep("404 form, member", member.post("/nothing", {}));
  await keep("405 /logout, guest", guest.get("/logout"));
  await keep("405 /logout, member", member.get("/logout"));
  await keep("413 form, member", member.post("/venues", { name: "x".repeat(70_000) }));
  await keep("415 form, member", member.post("/venues", "{}", { "content-type": "application/json" }));
  await keep("421 host, member", raw(web, "/settings", { host: "evil.example", cookie: cookieOf(member) }));
  await keep("425 prefetch, member", member.get("/login", { "sec-purpose": "prefetch" }));
  await broken("login_attempt", () => keep("500 /login, member", member.get("/login")));
  await broken("login_attempt", () => keep("500 /login, guest", guest.get("/login")));
  await broken("account", () => keep("500 /settings, member without a database", member.get("/settings")));
  await broken("session", () => keep("404 page, member without a database", member.get("/nothing")));
  await broken("session", () => keep("500 /, member without a database", member.get("/")));
  web.directory.behave("/v2/*", answersError(400, "param_error"));
  await keep("400 directory, member", member.get("/venues?query=coffee&ll=41.8,-71.4"));
  web.directory.behave("/v2/*", answersError(302, "other"));
  await keep("502 directory, member", member.get(venue));
  web.directory.behave("/v2/*", hangs());
  await keep("503 directory, member", member.get(venue));
  web.directory.behave("/v2/*", answersError(401, "invalid_auth"));
  await keep("200 connect again, member", member.get(venue));
  web.directory.reset();
  await member.get(await web.beginLogin(member)); // the directory refused the token, which ended the session
  await keep("303 log-out, member", member.submit(await member.get("/settings"), "/logout"));
  return answers;
}

const cookieOf = ({ cookies }: HttpClient) => `${SESSION}=${cookies.get(SESSION)}`;

// Sends headers as given: `fetch` cannot send another Host.
function raw(
  web: Pick<Awaited<ReturnType<typeof startHttpsWeb>>, "url" | "cert">,
  path: string,
  headers: Record<string, string>,
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const call = request(web.url + path, { headers, ca: web.cert, servername: "localhost" }, (reply) => {
      let body = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      const given = new Headers(reply.headers as Record<string, string>);
      reply.on("end", () => resolve({ url: "", status: reply.statusCode ?? 0, headers: given, body, location: "" }));
    });
    call.on("error", reject).end();
  });
}
