import { describe, expect, it } from "vitest";
import { reserveProvider } from "../../../src/directory/applications/providers.ts";
import { roundsOf } from "../../support/rounds.ts";
import { runningDirectory } from "../running-directory.ts";
import { type Fields, forEach, venueApi } from "../venue-api.ts";

const directory = await runningDirectory();
const api = venueApi(directory);
const { call } = directory;

const PAYLOADS = [
  ...["'", "%", "_", "\\", "$1", "{{7*7}}", "<%= 7*7 %>", "#{7*7}", "' OR '1'='1", "\\' OR 1=1 --", "%a%", "a_"],
  ...["'; DROP TABLE directory.venue; --", "1); DELETE FROM directory.venue; --", "'||pg_sleep(5)||'", "{1,2}"],
  ...["') UNION SELECT token_sealed FROM directory.authorization --", '"; SELECT 1; --', "NULL", "(0,0)", ":x ?"],
];
/** One of them for each parameter, by turns, in `npm test`. */
const EVERYWHERE = ["'", "%", "' OR '1'='1", "'; DROP TABLE directory.venue; --"];

const byMethod = (method: string) => api.endpoints.filter((endpoint) => endpoint.method === method);

describe("C06: a text with a meaning to a database or a template", () => {
  it("C06: has no side effect in any parameter of any endpoint", async () => {
    const before = await api.rows();
    const expected = { venue: 0, checkin: 0, venue_change: 0, venue_proposal: 0 };
    const links = new Set<string>();
    const [gets, posts] = [byMethod("GET"), byMethod("POST")];
    const once = [...posts, ...gets.filter(({ path }) => !posts.some((other) => other.path === path))];
    const tries = once.flatMap((endpoint) =>
      [...endpoint.known, "v", "oauth_token", "client_id", "client_secret", "{id}"].flatMap((name, turn) =>
        EVERYWHERE.filter((_, at) => (at + turn) % roundsOf(1, 4) === 0).map((payload) => ({
          ...endpoint,
          name,
          payload,
        })),
      ),
    );
    await forEach(tries, async ({ method, path, name, payload }) => {
      const [address, good] = api.goodCall({ path });
      const fields = { ...good, [name]: payload };
      const at = name === "{id}" ? path.replace("{id}", encodeURIComponent(payload)) : address;
      const { status } = await call(at, fields, { method });
      expect([path, name, payload, status]).toEqual([path, name, payload, expect.toBeOneOf([200, 400, 401, 403])]);
      if (status !== 200) return;
      if (path === "/v2/venues/add") expected.venue += 1;
      if (path === "/v2/checkins/add") expected.checkin += 1;
      if (path === "/v2/venues/edit" || path === "/v2/venues/propose") expected.venue_change += 1;
      if (path === "/v2/venues/propose") expected.venue_proposal += 1;
      if (path.endsWith("/annotate")) links.add(String(fields.linkedId));
    });
    const { place: _, ...after } = await api.rows();
    const { place: __, ...others } = before;
    const added = Object.entries(expected).map(([table, count]) => [table, (before[table] ?? 0) + count]);
    expect(after).toEqual({ ...others, ...Object.fromEntries(added), link: links.size });
    expect(
      Object.values(expected).every((count) => count > 2) && links.size > 1,
      JSON.stringify([expected, links.size]),
    ).toBe(true);
  });

  it("C06: is stored and shown unchanged, and a search for it finds only its own venue", async () => {
    const venues = new Map<string, string>();
    await reserveProvider(directory.deps, "literal", api.client.client_id);
    await forEach(PAYLOADS, async (payload) => {
      const texts = { name: `Bar ${payload}`, description: payload };
      const place = { address: payload, crossStreet: payload, city: payload, state: payload };
      const id = await api.add({ ...texts, ...place, url: `https://spot.example/${encodeURI(payload)}` });
      venues.set(payload, id);
      const link = { ...api.user, providerId: "literal", linkedId: payload };
      expect((await call(`/v2/venues/${id}/annotate`, link, { method: "POST" })).status).toBe(200);
      const { body } = await call(`/v2/venues/${id}`, api.client);
      expect(body.response.venue).toMatchObject({
        ...texts,
        location: { address: payload, crossStreet: payload, city: payload },
      });
      const shout = await call("/v2/checkins/add", { ...api.user, venueId: id, shout: payload }, { method: "POST" });
      expect(shout.body.response.checkin.shout).toBe(payload);
    });
    const found = async (fields: Fields) => {
      const { body } = await call("/v2/venues/search", { ...api.client, ...fields });
      return body.response.venues.map(({ id }: { id: string }) => id);
    };
    await forEach(venues, async ([payload, id]) => {
      expect([payload, await found({ providerId: "literal", linkedId: payload })]).toEqual([payload, [id]]);
      expect([payload, await found({ url: `https://spot.example/${encodeURI(payload)}` })]).toEqual([payload, [id]]);
      expect([payload, await found({ providerId: payload, linkedId: payload })]).toEqual([payload, []]);
      expect(await found({ ll: "0,0", providerId: "literal", linkedId: `${payload}%` })).toEqual([]);
    });
    const page = await (await fetch(`${directory.api}/venues/${venues.get("{{7*7}}")}`)).text();
    expect(page).toContain("{{7*7}}");
  });

  it("C06: is a distinct Idempotency-Key, and matches nothing as a prefix in suggestions", async () => {
    const before = await api.rows();
    const keys = PAYLOADS.filter((payload) => !/\s/.test(payload));
    await forEach(keys, async (key) => {
      const fields = { ...api.user, ...api.newVenue() };
      const sent = () => call("/v2/venues/add", fields, { method: "POST", headers: { "idempotency-key": key } });
      const [first, second] = [await sent(), await sent()];
      expect([first.status, second.body.response]).toEqual([200, first.body.response]);
    });
    const added = Number((await api.rows()).venue) - Number(before.venue);
    expect(added).toBe(keys.length);
    await forEach(["%", "_", "'", "\\", "%%%%", "____"], async (prefix) => {
      const { body } = await call("/reconcile/0.2/suggest/entity", { prefix });
      expect([prefix, body.result]).toEqual([prefix, []]);
    });
  });
});

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "isPrototypeOf"];

describe("C11: names that every JavaScript object has", () => {
  const ownNames = () => [Object.prototype, Array.prototype, Function.prototype, String.prototype].map(Reflect.ownKeys);

  it("C11: are ignored like any other unknown parameter", async () => {
    const native = ownNames();
    const odd = NAMES.flatMap((name) => [
      name,
      name,
      `${name}[polluted]`,
      `${name}.polluted`,
      `${name}[${name}][polluted]`,
    ]);
    const repeatable = api.endpoints.filter(({ path }) => !/\/(delete|merge|revert)$/.test(path)); // others work once for a venue
    await forEach(repeatable, async ({ method, path }) => {
      const [address, fields] = api.goodCall({ path });
      const all: [string, string][] = [
        ...odd.map((name): [string, string] => [name, "polluted"]),
        ...Object.entries(fields),
      ];
      const answer = await call(address, all, { method });
      expect([path, method, answer.status]).toEqual([path, method, 200]);
      expect(answer.text).not.toContain("polluted");
    });
    expect(ownNames()).toEqual(native);
    expect({}).not.toHaveProperty("polluted");
  });

  it("C11: match no category, venue, provider, user, option or path", async () => {
    const before = await api.rows();
    await forEach(NAMES, async (name) => {
      const sent = (path: string, fields: Fields) => call(path, { ...api.user, ...fields });
      const answers = [
        await sent("/v2/venues/add", api.newVenue({ primaryCategoryId: name })),
        await sent("/v2/venues/add", api.newVenue({ ignoreDuplicates: name })),
        await sent("/v2/venues/search", { ll: "0,0", categoryId: name }),
        await sent("/v2/venues/search", { ll: "0,0", intent: name }),
        await sent("/v2/venues/annotate", { venueId: name, providerId: api.provider, linkedId: name }),
        await sent("/v2/venues/annotate", { venueId: api.venue.id, providerId: name, linkedId: name }),
        await sent("/v2/users/self/checkins", { sort: name }),
        await sent(`/v2/venues/${name}`, {}),
        await sent(`/v2/users/${name}`, {}),
        await sent(`/v2/${name}`, {}),
        await sent(`/icons/${name}_64.svg`, {}),
        await call("/v2/venues/search", { ll: "0,0", oauth_token: name }),
        await call("/v2/venues/search", { ll: "0,0", client_id: name, client_secret: name }),
      ];
      const noVenue = /^[a-z]+$/i.test(name) ? 404 : 400; // a word is the name of an endpoint that does not exist
      const expected = [400, 400, 400, 400, 400, 403, 400, noVenue, 400, 404, 404, 401, 400];
      expect([name, answers.map(({ status }) => status)]).toEqual([name, expected]);
      const { body } = await sent("/v2/multi", { requests: `/${name},/venues/${name},/venues/search?intent=${name}` });
      const codes = body.response.responses.map(({ meta }: { meta: { code: number } }) => meta.code);
      expect([name, codes]).toEqual([name, [404, noVenue, 400]]);
    });
    expect(await api.rows()).toEqual(before);
  });

  it("C11: are stored as JSON keys without affecting later calls", async () => {
    const native = ownNames();
    const queries = `{${NAMES.map((name) => `"${name}": {"query": "Bar", "${name}": {"polluted": true}}`).join()}}`;
    const control = () => call("/reconcile/0.2", { queries: '{"q": {"query": "Bar"}}' });
    const before = await control();
    for (const method of ["GET", "POST"]) {
      const answer = await call("/reconcile/0.2", { queries }, { method });
      expect(Object.keys(answer.body)).toEqual(NAMES);
      for (const name of NAMES) expect(Object.entries(answer.body)).toContainEqual([name, before.body.q]);
    }
    const extend = JSON.stringify({ ids: NAMES, properties: NAMES.map((id) => ({ id })) });
    expect((await call("/reconcile/0.2", { extend })).status).toBeLessThan(500);
    const json = `{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "queries": [${queries}]}`;
    const headers = { "content-type": "application/json" };
    const match = await fetch(`${directory.api}/reconcile/1.0/match`, { method: "POST", headers, body: json });
    expect(match.status).toBeLessThan(500);
    expect((await control()).body).toEqual(before.body);
    expect(ownNames()).toEqual(native);
    expect({}).not.toHaveProperty("polluted");
  });
});
