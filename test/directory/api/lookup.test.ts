import { describe, expect, test } from "vitest";
import type { Envelope } from "../../../src/contract/envelope.ts";
import { mergeVenues } from "../../../src/directory/import/release/merge-venues.ts";
import { type Answer, type ApiHost, apiHost, comparable, credentialsOf, expectError, V } from "./host.ts";
import { linksHost } from "./links-host.ts";

const host = await linksHost();
const limited = await apiHost({ rateLimit: 20 });
const LOOKUP = "/v2/venues/lookup";

const ndjson = (lines: string[]) => ({
  payload: lines.join("\n"),
  headers: { "content-type": "application/x-ndjson" },
});
const lookUp = (lines: string[], to: ApiHost = host, fields: Record<string, string> = credentialsOf(to.application)) =>
  to.send("POST", LOOKUP, { v: V, ...fields }, ndjson(lines));
const ofId = (venueId: string) => JSON.stringify({ venueId });
const envelopesOf = ({ text }: Answer): Envelope[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
async function venuesOfAllKinds(): Promise<string[]> {
  const venues = [];
  for (let at = 0; at < 5; at += 1) venues.push((await host.newVenue()).id);
  const [open = "", closed = "", merged = "", into = "", deleted = ""] = venues;
  await host.deps.pool.query("UPDATE directory.venue SET closed_at = now() WHERE id = $1", [closed]);
  const client = await host.deps.pool.connect();
  await mergeVenues(client, [{ id: merged, into }]).finally(() => client.release());
  await host.asUser("/v2/venues/delete", { venueId: deleted }, { method: "POST" });
  return [open, closed, merged, into, deleted, "0123456789abcdef01234567", "no id at all"];
}

describe("venues/lookup", () => {
  test("returns for each line, and for a single id, what GET venues/ID returns", async () => {
    const ids = await venuesOfAllKinds();
    const asked = [...ids, ids[0] ?? ""];
    const { token } = host.user;
    const answer = await lookUp(asked.map(ofId), host, { oauth_token: token });
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
    const single = await Promise.all(asked.map((id) => host.asUser(`/v2/venues/${encodeURIComponent(id)}`)));
    expect(envelopesOf(answer).map(comparable)).toEqual(single.map(({ body }) => comparable(body)));
    expect(single.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400, 400, 200]);
    for (const [at, venueId] of ids.entries()) {
      const form = await host.asUser(LOOKUP, { venueId }, { method: "POST" });
      expect(comparable(form.body)).toEqual(comparable(single[at]?.body as Envelope));
    }
  });

  test("answers a line that names no id with an error in its place", async () => {
    const { id } = await host.newVenue();
    const codes = envelopesOf(await lookUp(["{", ofId(id), "[]", "{}", '{"venueId":["a"]}', ""]));
    expect(codes.map(({ meta }) => meta.code)).toEqual([400, 200, 400, 400, 400]);
  });

  test("answers 5,000 lines in order, and refuses one more", async () => {
    const ids = [(await host.newVenue()).id, "unknown", (await host.newVenue()).id];
    const asked = Array.from({ length: 5000 }, (_, at) => ids[at % 3] ?? "");
    const found = envelopesOf(await lookUp(asked.map(ofId)));
    const shown = found.map(({ response }) => (response as { venue?: { id: string } }).venue?.id ?? "unknown");
    expect(shown).toEqual(asked);
    expectError(await lookUp([...asked, "unknown"].map(ofId)), 400, "param_error");
  });

  test("counts each line as a call", async () => {
    const left = (answer: Answer) => Number(answer.headers["x-ratelimit-remaining"]);
    expect(left(await lookUp(Array(15).fill(ofId("unknown")), limited))).toBe(5);
    expectError(await lookUp(Array(6).fill(ofId("unknown")), limited), 403, "rate_limit_exceeded");
  });

  test("needs credentials", async () => {
    expectError(await lookUp([ofId("unknown")], host, {}), 400, "invalid_auth");
  });
});
