import { beforeAll, expect, it } from "vitest";
import { answers, changes } from "../../support/fake-directory/behaviours.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startWeb } from "../../web/web-app.ts";
import { CALLBACK, categoryId, rawExchange, runningDirectory, V } from "../running-directory.ts";

const directory = await runningDirectory({ env: { SIGN_UP: "on" } });
const web = await startWeb();

/** Imitates a log line, controls a terminal, or ends a line in other programs. */
const FORGED = '{"level":60,"time":"2026-01-01T00:00:00.000Z","msg":"forged"}';
const HOSTILE = [
  `\r\n${FORGED}\r\n`,
  `\n${FORGED}`,
  `\r${FORGED}`,
  `"}\n${FORGED}\n{"a":"`,
  `\u2028${FORGED}\u2029`,
  `\u0085${FORGED}\u000b\u000c`,
  "\u001b[31mred\u001b[2J\u001b]0;title\u0007",
  "\u009b31m\u009d0;title\u009c",
  "\\r\\n\\u001b[31m \\",
  '//user:\\\\"pass\\@host ?a=b\\"&c=\\',
];

// Sends the text through every input of all listeners.
beforeAll(async () => {
  const { clientId: client_id, clientSecret: client_secret } = await directory.application();
  for (const words of HOSTILE) {
    const all = {
      v: V,
      client_id,
      client_secret,
      query: words,
      near: words,
      ll: words,
      callback: words,
      [words]: words,
    };
    await directory.call("/v2/venues/search", all);
    await directory.call("/v2/venues/add", { ...all, oauth_token: words, name: words }, { method: "POST" });
    await directory.call(`/v2/${encodeURIComponent(words)}`, all, { method: "DELETE" });
    await directory.call("/oauth2/access_token", all, {
      on: { ...directory.instances[0], api: directory.auth, auth: "" },
    });
    const request = { client_id, response_type: words, redirect_uri: CALLBACK, state: words };
    for (const each of [request, { ...request, client_id: words }, { ...request, redirect_uri: words }])
      await fetch(`${directory.auth}/oauth2/authenticate?${new URLSearchParams(each)}`, { redirect: "manual" });
    const stranger = createHttpClient(directory.auth);
    await stranger.submit(await stranger.get("/sign-up"), "/sign-up", { handle: words, password: words });
    await stranger.post("/login", { handle: words, password: words, _csrf: words });
    for (const host of [directory.api, directory.auth, web.url])
      for (const head of [
        `GET /${words} HTTP/1.1`,
        `GET / HTTP/1.1\r\nHost: x\r\nX-Y: ${words}`,
        `${words} / HTTP/1.1`,
      ])
        await rawExchange(
          host,
          `${head}\r\nHost: ${words}\r\nX-Forwarded-For: ${words}\r\nUser-Agent: ${words}\r\n\r\n`,
          200,
        );
    await throughWeb(words);
    await asError(words, client_id);
  }
});

/** Throws an unexpected error with this text, which is logged in full. */
async function asError(words: string, clientId: string): Promise<void> {
  const message = `forged: ${words}`.replaceAll("'", "''");
  await directory.database.pool.query(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION USING MESSAGE = '${message}'; END $$;
    CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON directory.venue FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const oauth_token = await directory.token({ userId: (await directory.user()).id, clientId });
  const venue = { name: "A spot", ll: "1,1", primaryCategoryId: categoryId("Bar") };
  expect((await directory.call("/v2/venues/add", { oauth_token, ...venue })).status).toBe(500);
}

async function throughWeb(words: string): Promise<void> {
  const browser = await web.logIn();
  const typed = encodeURIComponent(words);
  for (const path of [`/venues?query=${typed}&near=${typed}`, `/venues/${typed}`, `/login?next=${typed}`, `/${typed}`])
    await browser.get(path);
  await browser.get(`/login/callback?state=${typed}&code=${typed}&error=${typed}&iss=${typed}`);
  // The directory's texts are foreign input too.
  web.directory.behave(
    "/v2/venues/search",
    answers(500, { meta: { code: 500, errorType: words, errorMessage: words } }, {}),
  );
  await browser.get("/venues?query=coffee&ll=41.8,-71.4");
  web.directory.behave("/oauth2/access_token", answers(400, { error: words, error_description: words }));
  await browser.get(await web.beginLogin(browser));
  web.directory.reset();
  web.directory.behave(
    "/v2/users/self",
    changes((body) => body.replace(/"firstName":"[^"]*"/, `"firstName":${JSON.stringify(words)}`)),
  );
  await web.logIn(web.newBrowser());
  web.directory.reset();
}

it("W21: every log line is one JSON object of the program, for any input", () => {
  expect(directory.logs.text()).toContain("forged: ");
  for (const [name, { lines, text }] of Object.entries({ directory: directory.logs, web: web.logs })) {
    expect([name, lines.length > 50]).toEqual([name, true]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect([name, /[\u0000-\u0009\u000b-\u001f]/.exec(text())]).toEqual([name, null]);
    for (const line of lines) {
      const entry = JSON.parse(line); // or it is none
      expect([name, typeof entry.level, typeof entry.time, entry.msg === "forged"]).toEqual([
        name,
        "number",
        "string",
        false,
      ]);
    }
  }
});
