import { expect, it } from "vitest";
import { makeHarmonization } from "../../harmonize/rows.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";
import { ownerOf } from "./runs.ts";

const web = await startWeb();
web.directory.signIn("Fay");
const browser = await web.logIn();

const SAID = "This application is stopped here: ask the directory's operator (help@directory.example).";
const stopped = answers(403, {
  meta: { code: 403, errorType: "not_authorized", errorDetail: SAID },
  response: { application: { access: "stopped" } },
});
const SHOWN = SAID.replace("'", "&#39;");

it.each([
  ["a search", "/venues?query=coffee&ll=41.8,-71.4"],
  ["a match", "/venues?intent=match&name=Coffee&ll=41.8,-71.4"],
  ["a venue", "/venues/4b1f2a3c4d5e6f7081920a1b"],
  ["check-ins", "/checkins"],
])("%s at a directory that has stopped the application says so, and who can help", async (_what, path) => {
  web.directory.behave("/v2/*", stopped);
  const page = await browser.get(path);
  expect(page.body).toContain("The directory has not enabled Samespot for this");
  expect(page.body).toContain(SHOWN);
  expect(page.status).toBe(502);
  web.directory.reset();
  expect((await browser.get(path)).body).not.toContain("has not enabled");
});

it("a run that waits for its application to be enabled shows the directory's message, and that it continues by itself", async () => {
  const { id } = await makeHarmonization(
    web.database,
    await ownerOf(web),
    [{ name: "Shop", more: { status: "pending" } }],
    {
      ...{
        directory: web.config.api.url,
        state: "matching",
        pausedFor: "application",
        task: { refusal: { code: "not_enabled", said: SAID } },
      },
    },
  );
  const { body } = await browser.get(`/harmonizations/${id}`);
  expect(body).toContain("The directory does not allow Samespot to do this.");
  expect(body).toContain(SHOWN);
  expect(body).toContain("it tries again every minute");
});
