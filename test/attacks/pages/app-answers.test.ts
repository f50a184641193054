import { describe, expect, it } from "vitest";
import { assetBase } from "../../../src/http/files/assets.ts";
import type { Page } from "../../support/http-client.ts";
import { everyAnswer } from "../every-answer.ts";
import { SESSION, startHttpsWeb } from "../https-app.ts";

const web = await startHttpsWeb({ deadlineMs: 500 });
const { pool } = web.own;
const answers = await everyAnswer(web);

const each = (check: (page: Page, what: string) => void) => {
  expect(Object.keys(answers).length).toBeGreaterThan(45);
  for (const [what, page] of Object.entries(answers)) check(page, what);
};

it("W05: every answer allows only the app's own scripts, styles and frames, and none of them inline", () => {
  each(({ headers, body }, what) => {
    const policy = Object.fromEntries(
      (headers.get("content-security-policy") ?? "").split("; ").map((line) => line.split(/ (.*)/).slice(0, 2)),
    );
    expect([what, policy]).toEqual([
      what,
      {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "form-action": expect.stringMatching(/^'self'( http:\/\/127\.0\.0\.1:\d+)?$/),
        "object-src": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
      },
    ]);
    if (!/asset|\.js/.test(what)) expect([what, /<script>|<style|\sstyle=|\son\w+=/.test(body)]).toEqual([what, false]);
  });
});

it("W06: every answer has all security headers, files and errors included", () => {
  each(({ headers }, what) => {
    expect([what, Object.fromEntries(headers)]).toMatchObject([
      what,
      {
        "strict-transport-security": expect.stringMatching(/^max-age=31536000/),
        "x-content-type-options": "nosniff",
        "referrer-policy": expect.stringMatching(/^(same-origin|no-referrer)$/),
        "cross-origin-opener-policy": expect.stringMatching(/^(same-origin-allow-popups|unsafe-none)$/),
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
        "x-request-id": expect.stringMatching(/^[0-9a-f]{24}$/),
      },
    ]);
    for (const telling of ["server", "x-powered-by", "via", "access-control-allow-origin"])
      expect([what, headers.get(telling)]).toEqual([what, null]);
  });
});

it("W07: every answer but the app's own files forbids caching, redirects and errors included", () => {
  each(({ headers, status }, what) => {
    const isFile = (status < 300 || status === 304) && what.includes("asset");
    const kept = isFile ? "public, max-age=31536000, immutable" : "no-store";
    expect([what, headers.get("cache-control")]).toEqual([what, kept]);
  });
});

it("A22: cookies are __Host-, Secure, HttpOnly, SameSite=Lax, without a Domain, and small", () => {
  const lines = Object.values(answers).flatMap(({ headers }) => headers.getSetCookie());
  const names = new Set(lines.map((line) => line.split("=", 1)[0]?.replace(/_login_.*/, "_login_…")));
  expect(names).toEqual(new Set([SESSION, `${SESSION}_login_…`, `${SESSION}_out`]));
  for (const line of lines) {
    const attributes = line
      .split("; ")
      .slice(1)
      .map((each) => each.replace(/^(Max-Age|Expires)=.*/, "$1"));
    expect(new Set(attributes.filter((each) => !/^(Max-Age|Expires)$/.test(each)))).toEqual(
      new Set(["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]),
    );
    expect(line.length).toBeLessThan(4096);
  }
});

describe("an error page", () => {
  const errors = () =>
    Object.entries(answers).filter(
      ([what, { headers }]) => /^[45]/.test(what) && headers.get("content-type")?.includes("html"),
    );

  it("W19: shows the request id of the log line, and no cause", () => {
    expect(errors().length).toBeGreaterThan(25);
    for (const [what, { headers, body }] of errors()) {
      const id = headers.get("x-request-id") ?? "";
      const isForm = what === "400 place, member" || /directory/.test(what); // the page itself, with a message
      if (!isForm) expect([what, body.includes(`quote request <code>${id}</code>`)]).toEqual([what, true]);
      const words = body.replaceAll(/[\w-]{20,}/g, ""); // a random token may spell "sql"
      expect([what, words]).toEqual([
        what,
        expect.not.stringMatching(
          /node_modules|\.[tj]s:\d|\bat .*\(|relation|gone|login_attempt|SQL|postgres|FST_|undefined|\[object/i,
        ),
      ]);
    }
    const ids = errors()
      .filter(([what]) => what.startsWith("500"))
      .map(([, { headers }]) => headers.get("x-request-id"));
    for (const id of ids)
      expect(web.logs.lines.some((line) => line.includes(`"request":"${id}"`) && line.includes('"level":50'))).toBe(
        true,
      );
  });

  it("keeps the menu and a working log-out for a member, and shows a guest neither", () => {
    for (const [what, { body }] of errors()) {
      const hasMenu =
        body.includes('aria-label="Main"') && />Fay<\/span>/.test(body) && body.includes('action="/logout"');
      expect([what, hasMenu]).toEqual([what, /member$/.test(what) && !/asset/.test(what)]);
    }
  });

  it("needs no database query for a guest or a missing file", async () => {
    const member = await web.logIn();
    const asked: unknown[] = [];
    const query = pool.query.bind(pool);
    pool.query = ((...args: Parameters<typeof query>) => {
      asked.push(args[0]);
      return query(...args);
    }) as typeof pool.query;
    for (const path of ["/nothing", "/logout", "/%zz"]) await web.newBrowser().get(path);
    for (const path of ["/assets/0000000000/app.js", `${assetBase}/nothing.js`]) await member.get(path);
    expect(asked).toEqual([]);
    const page = await member.get("/nothing");
    expect(asked.length).toBe(2); // the session, the member
    pool.query = query as typeof pool.query;
    expect((await member.submit(page, "/logout")).location).toBe(`${web.url}/?loggedout=1`);
  });

  it("is plain and fast while the database does not answer", async () => {
    const member = await web.logIn();
    const query = pool.query;
    let asked = 0;
    pool.query = (() => {
      asked += 1;
      return Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    }) as unknown as typeof pool.query;
    const pages = [await member.get("/settings"), await member.get("/nothing")];
    pool.query = query;
    expect(pages.map(({ status, body }) => [status, body.includes('aria-label="Main"')])).toEqual([
      [503, false],
      [404, false],
    ]);
    expect(asked).toBe(2);
    expect((await member.get("/settings")).status).toBe(200);
  });
});
