import { expect, test } from "vitest";
import { answers, answersError, hangs } from "../../../support/fake-directory/behaviours.ts";
import { gone, MULTI, newCard, startCards, tells, venue } from "./cards.ts";

/** The app remembers that a directory answers some calls with nonsense. */
const [web, troubled] = [await startCards(), await startCards()];

test("a review card shows the candidates as the directory has them now, and what became of them since", async () => {
  tells(web, [venue("v1", { name: "Venue <now>" }), venue("v9"), gone]);
  const [card, calls] = [await newCard(web), web.directory.calls(MULTI)];
  const { status, body } = await web.fay.get(card);
  expect(status).toBe(200);
  expect(body).toContain("<b>Venue &lt;now&gt;</b>");
  expect(body).toContain("Renamed since then; was “Venue v1”");
  expect(body).toContain("Merged since then; was “Venue v2”");
  expect(body).toContain("No longer in the directory");
  expect(body).toContain('name="venueId" value="v2"');
  // The reason was about the former name.
  expect(body).not.toContain("same name (");
  tells(web, [venue("v1"), venue("v2", { closed: true }), venue("v3")]);
  const unchanged = (await web.fay.get(card)).body;
  expect(unchanged).toContain("Closed since then");
  expect(unchanged).not.toMatch(/Renamed since|Merged since|No longer in/);
  expect(unchanged).toContain("same name");
  expect(web.directory.calls(MULTI) - calls).toBe(2);
});

test.each([
  ["fails", answersError(500, "server_error")],
  ["answers with nonsense", answers(200, "nonsense")],
  ["limits calls", answersError(403, "rate_limit_exceeded")],
  ["refuses the token", answersError(401, "invalid_auth")],
  ["does not answer", hangs],
])("a review card is shown with the candidates as they were if the directory %s", async (_how, behaviour) => {
  for (const path of [MULTI, "/v2/venues/*"]) troubled.directory.behave(path, behaviour);
  const { status, body } = await troubled.fay.get(await newCard(troubled));
  expect([status, body]).toEqual([200, expect.stringContaining("<b>Venue v1</b>")]);
  expect(body).not.toContain(" since");
});
