import { beforeAll, expect, it } from "vitest";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { CALLBACK, categoryId, runningDirectory, V } from "../running-directory.ts";

/** CPU time of this thread, so that other load does not count. Twice what it may take, for a slow machine; quadratic time takes seconds. */
const LIMIT_MS = 100;
/** Bytes, just below the limit of a body. */
const BODY = 60_000;
/** Bytes, just below the limit of an address or the headers. */
const HEAD = 12_000;
/** Bytes: large enough to reveal quadratic time, small enough to be read. */
const JSON_BODY = 300_000;

const directory = await runningDirectory();
const known: Record<string, string> = {};
const application = { client_id: "", client_secret: "" };

beforeAll(async () => {
  const { id: userId } = await directory.user();
  const { clientId, clientSecret } = await directory.application();
  Object.assign(application, { client_id: clientId, client_secret: clientSecret });
  known.oauth_token = await directory.token({ userId, clientId });
  await reserveProvider(directory.deps, "maps", clientId);
  const fields = { ...known, name: "Plain Spot", ll: "1,1", primaryCategoryId: categoryId("Bar"), phone: "4015550100" };
  known.venueId = (await directory.call("/v2/venues/add", fields)).body.response.venue.id;
});

/** Builds texts of about `bytes` that nearly match a pattern, to provoke backtracking. */
const nearMisses = (bytes: number): string[] => {
  const full = (unit: string, times = bytes / Buffer.byteLength(unit)) => unit.repeat(Math.floor(times));
  return [
    ...[`1${full(" ")}x`, `a${full("\n")}\0`, `1${full("\t ")}2`, `1,${full(" ")}1x`, `a${full(" ")},b`],
    ...[`${full("a")}!`, `${full("1")}x`, `+1${full(" (4-")}x`, `4015550100${full("x")}`, `4015550100${full(" ")}y`],
    ...[`a${full("\u0315", bytes / 4)}${full("\u0300", bytes / 4)}`, full("\u3164"), `${full("e\u0301")}!`, full("ﷺ")],
    ...[`${full("a.")}!`, `${full("a-")}!`, `${full("1,")}x`, `1.${full("1")},x`, full(",/"), `0.${full("0")}x`],
    ...[`https://a${full("@a")}`, `https://${full("a")} `, `https://${full("é.")}`, `https://x/${full("a/../")}\u0000`],
    ...[full("%"), full(":.-"), `# ${full("#")}`, full("R."), full("ext"), full("['’"), full("1:")],
    ...[full("0571-82360875;"), full("٣"), full("(0)"), full("１－"), full("0571-82360875转"), full("12 (34) ")],
  ];
};

type Call = (text: string) => Promise<Response>;

const url = (path: string, query: Record<string, string>) => `${directory.api}${path}?${new URLSearchParams(query)}`;

/** Sends multipart/form-data, which needs no percent-encoding and so holds more. */
function post(address: string, fields: Record<string, string>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return fetch(address, { method: "POST", body });
}

/** Returns the texts that exceed the limit in every repetition, each sent alone. */
async function slowOnes(texts: string[], call: Call): Promise<string[]> {
  const timed = async (some: string[]): Promise<number> => {
    const before = process.threadCpuUsage();
    const answers = await Promise.all(some.map(call));
    for (const answer of answers) {
      await answer.arrayBuffer();
      expect(answer.status).toBeLessThan(500);
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const slow: string[] = [];
  for (let from = 0; from < texts.length; from += 8) {
    const group = texts.slice(from, from + 8);
    if ((await timed(group)) < LIMIT_MS) continue;
    for (const text of group) {
      let least = Number.POSITIVE_INFINITY;
      for (let time = 0; time < 4 && least >= LIMIT_MS; time += 1) least = Math.min(least, await timed([text]));
      if (least >= LIMIT_MS) slow.push(`${Math.round(least)} ms: ${JSON.stringify(text.slice(0, 12))}…`);
    }
  }
  return slow;
}

async function expectNoneSlow(bytes: number, calls: Record<string, Call>, fits = /^/): Promise<void> {
  const texts = nearMisses(bytes).filter((text) => fits.test(text));
  for (const [what, call] of Object.entries(calls)) expect([what, await slowOnes(texts, call)]).toEqual([what, []]);
}

const each = (names: string[], call: (name: string, text: string) => Promise<Response>): Record<string, Call> =>
  Object.fromEntries(names.map((name) => [name, (text: string) => call(name, text)]));

it("C28: no parameter of the API takes long to reject", async () => {
  const venue = { name: "Another Spot", ll: "9,9", primaryCategoryId: categoryId("Bar") };
  const added = [
    ...Object.keys(venue),
    "address",
    "crossStreet",
    "city",
    "zip",
    "phone",
    "twitter",
    "description",
    "url",
  ];
  const annotated = { venueId: known.venueId ?? "", providerId: "maps", linkedId: "1" };
  const searched = [
    "ll",
    "near",
    "name",
    "query",
    "radius",
    "sw",
    "categoryId",
    "minScore",
    "linkedId",
    "url",
    "phone",
  ];
  const to = (path: string, more: Record<string, string> = {}) => url(path, { v: V, ...more });
  const { oauth_token = "" } = known;
  await expectNoneSlow(BODY, {
    ...each(added, (name, text) => post(to("/v2/venues/add"), { oauth_token, ...venue, [name]: text })),
    ...each(["linkedId", "providerId", "venueId", "url"], (name, text) =>
      post(to("/v2/venues/annotate"), { oauth_token, ...annotated, [name]: text }),
    ),
    shout: (shout) => post(to("/v2/checkins/add"), { oauth_token, venueId: known.venueId ?? "", shout }),
    requests: (requests) => post(to("/v2/multi"), { oauth_token, requests }),
    ...each(
      searched.map((name) => `multi ${name}`),
      (what, text) => {
        const name = what.slice(6);
        const rest = name === "ll" || name === "near" ? "" : "ll=1,1&";
        const term = encodeURIComponent(text).slice(0, BODY);
        return post(to("/v2/multi"), { oauth_token, requests: `/venues/search?${rest}intent=match&${name}=${term}` });
      },
    ),
    ...each(["v", "oauth_token"], (name, text) => post(`${directory.api}/v2/multi`, { v: V, ...known, [name]: text })),
  });
});

it("C28: no address, header, log-in parameter or code takes long to reject", async () => {
  const asked = { client_id: application.client_id, response_type: "code", redirect_uri: CALLBACK };
  const exchanged = { ...application, grant_type: "authorization_code", redirect_uri: CALLBACK, code: "x" };
  const token = `${directory.auth}/oauth2/access_token`;
  const clip = (text: string) => encodeURIComponent(text).slice(0, HEAD).replace(/%.?$/, "");
  await expectNoneSlow(HEAD, {
    ...each(["near", "query", "callback"], (name, text) =>
      fetch(`${url("/v2/venues/search", { v: V, ...application })}&intent=global&${name}=${clip(text)}`),
    ),
    ...each(["venues", "users"], (name, text) =>
      fetch(`${url(`/v2/${name}/${clip(text)}`, { v: V, ...application })}`),
    ),
    ...each(["client_id", "redirect_uri", "state", "code_challenge", "display"], (name, text) => {
      const { [name]: _, ...rest } = { ...asked, code_challenge_method: "S256" } as Record<string, string>;
      return fetch(`${directory.auth}/oauth2/authenticate?${new URLSearchParams(rest)}&${name}=${clip(text)}`);
    }),
    ...each(["client_id", "client_secret", "redirect_uri", "code", "code_verifier"], (name, text) =>
      fetch(token, { method: "POST", body: new URLSearchParams({ ...exchanged, [name]: text.slice(0, HEAD / 2) }) }),
    ),
  });
  const headers = [
    "authorization",
    "idempotency-key",
    "accept",
    "cookie",
    "x-forwarded-for",
    "content-type",
    "if-match",
  ];
  await expectNoneSlow(
    HEAD,
    each(headers, (name, text) =>
      fetch(url("/v2/multi", { v: V, ...known, requests: "/users/self" }), {
        method: "POST",
        headers: { [name]: text },
      }),
    ),
    /^[\x20-\x7e]+$/,
  );
});

it("C28: no value sent to the reconciliation service takes long to reject", async () => {
  const named = { matchType: "name", propertyValue: "Plain Spot" };
  const properties = ["name", "ll", "address", "city", "zip", "phone", "twitter", "country"];
  const ask = (propertyId: string, propertyValue: string | string[]) => {
    const condition = { matchType: "property", propertyId, propertyValue, required: true };
    const body = JSON.stringify({ queries: [{ conditions: [named, condition] }] });
    const headers = { "content-type": "application/json" };
    return fetch(`${directory.api}/reconcile/1.0/match`, { method: "POST", headers, body });
  };
  expect((await (await ask("phone", "4015550100")).json()).results[0].candidates).toHaveLength(1);
  await expectNoneSlow(JSON_BODY, each(properties, ask));
  const marks = `a${"\u0315".repeat(990)}${"\u0300".repeat(990)}`;
  for (const property of ["name", "address", "city", "phone"])
    expect([property, await slowOnes([marks], (text) => ask(property, Array(40).fill(text)))]).toEqual([property, []]);
});
