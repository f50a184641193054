import { describe, expect, it } from "vitest";
import { multipart, TYPE } from "../../directory/endpoint/multipart-body.ts";
import { roundsOf } from "../../support/rounds.ts";
import { rawExchange, runningDirectory, V } from "../running-directory.ts";
import { expectError, type Fields, forEach, query, statusOf, venueApi, written } from "../venue-api.ts";

const directory = await runningDirectory();
const api = venueApi(directory);
const { host } = new URL(directory.api);
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Comma-separated, so two of them are one. */
const LISTS = ["categoryId", "empty", "requests"];
const COMMON = ["v", "oauth_token", "client_id", "client_secret"];

/** Cases of a parameter in a call that is valid without it, or with it once. */
const parameters = () =>
  api.endpoints.flatMap(({ method, path, known }) =>
    [...known, ...COMMON]
      .filter((name) => !LISTS.includes(name))
      .map((name) => {
        const [address, good] = api.goodCall({ path });
        const { [name]: value = "x", ...others } = { v: V, ...good } as Fields;
        return { method, path, address, name, value, others };
      }),
  );

describe("a known parameter", () => {
  it("C10: is rejected by name when given twice, whether the values are equal, different or empty", async () => {
    const before = await api.rows();
    const turns = [...parameters().entries()];
    await forEach(turns, async ([turn, { method, path, address, name, value, others }]) => {
      for (const second of [value, "y", ""].filter((_, at) => (at + turn) % roundsOf(1, 3) === 0)) {
        const fields: [string, string][] = [...Object.entries(others), [name, value], [name, second]];
        const answer = await directory.call(address, fields, { method });
        expectError([path, name, second], answer, 400, "param_error");
        expect(answer.body.meta.errorDetail).toContain(`${name} was given more than once`);
      }
    });
    expect(await api.rows()).toEqual(before);
  });

  it("C10: is rejected as given twice when present in both the query and a form of either type", async () => {
    const before = await api.rows();
    const posted = parameters().filter(({ method }) => method === "POST");
    expect(posted.length).toBeGreaterThan(20);
    await forEach(posted, async ({ path, address, name, value, others }) => {
      const target = `${directory.api}${address}?${new URLSearchParams({ [name]: value })}`;
      const all = { ...others, [name]: value };
      for (const [headers, body] of [
        [FORM, new URLSearchParams(all).toString()],
        [{ "content-type": TYPE }, multipart(Object.entries(all))],
      ] as const) {
        const reply = await fetch(target, { method: "POST", headers, body });
        expect([path, name, reply.status]).toEqual([path, name, 400]);
        expect(await reply.text()).toContain(`${name} was given more than once`);
      }
    });
    const twice = await directory.call("/v2/venues/search", [
      ...Object.entries(api.client),
      ["callback", "a"],
      ["callback", "b"],
    ]);
    expectError("callback", twice, 400, "param_error");
    expect(await api.rows()).toEqual(before);
  });

  it("C10: is ignored as unknown when its name has brackets", async () => {
    await forEach(parameters(), async ({ method, path, address, name, value, others }) => {
      if (REQUIRED[path]?.includes(name) === false) return;
      const bracketed = Object.fromEntries(["[]", "[a]", "[0]"].map((brackets) => [name + brackets, value]));
      const call = (more: Fields) => directory.call(address, { v: "", ...others, ...more }, { method });
      const [without, answer] = [await call({}), await call(bracketed)];
      const told = ({ status, body }: typeof answer) => [path, name, status, body.meta.errorDetail];
      expect(told(answer)).toEqual(told(without));
    });
    const search = async (more: Fields) => {
      const { body } = await directory.call("/v2/venues/search", { ...api.client, ll: "-50,20", ...more });
      return body.response.venues.map(({ id }: { id: string }) => id);
    };
    const all = await search({});
    expect(all.length).toBeGreaterThan(0);
    expect(await search({ "query[]": "xqzvwkj", "limit[]": "1", "categoryId[a]": "none" })).toEqual(all);
    const added = await directory.call("/v2/venues/add", {
      ...api.user,
      ...api.newVenue({ "description[]": "z", "city[0]": "z" }),
    });
    expect(added.body.response.venue).not.toHaveProperty("description");
    expect(added.body.response.venue.location).not.toHaveProperty("city");
  });
});

/** Of calls that change what a second one would find: without one of these they change nothing. */
const REQUIRED: Partial<Record<string, string[]>> = {
  "/v2/venues/add": ["name", "ll", "primaryCategoryId", "v", "oauth_token"],
  "/v2/venues/edit": ["venueId", "v", "oauth_token"],
  "/v2/venues/propose": ["venueId", "v", "oauth_token"],
};

/** Milliseconds allowed for any answer. */
const SOON = 1000;

/** Retries twice, for busy machines. */
async function soon<T>(what: string, ask: () => Promise<T>): Promise<T> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const begun = performance.now();
    const answer = await ask();
    times.push(Math.round(performance.now() - begun));
    if (Math.min(...times) < SOON) return answer;
  }
  return expect.fail(`${what}: answered after ${times.join(", ")} ms`);
}

describe("a request at or beyond the size limit", () => {
  const search = (more: string) => `/v2/venues/search?${query({ ...api.client, ll: "0,0" })}&${more}`;

  it("C12: is answered or rejected as too long at once, for any content of the address", async () => {
    const thousand = Array.from({ length: 1000 }, (_, index) => `p${index}=`).join("&");
    const cases: [what: string, more: string, status: number][] = [
      ["8 KB", `x=${"y".repeat(8_000)}`, 200],
      ["15 KB", `x=${"y".repeat(15_000)}`, 200],
      ["beyond 16 KB", `x=${"y".repeat(16_400)}`, 431],
      ["100 KB", `x=${"y".repeat(100_000)}`, 431],
      ["a thousand parameters", thousand, 200],
      ["a thousand of one name", "ll=0,0&".repeat(1000), 400],
      ["seven thousand of an unknown name", "m&".repeat(7000), 200],
      ["15 KB of percent signs", `query=${"%".repeat(15_000)}`, 400],
      ["a path of 15 KB", "", 404],
    ];
    await forEach(cases, async ([what, more, status]) => {
      const target = what.startsWith("a path") ? `/v2/${"y/".repeat(7_500)}` : search(more);
      const answer = await soon(what, () => rawExchange(directory.api, written("GET", target, { host }), 5000));
      expect([what, statusOf(answer)]).toEqual([what, status]);
    });
  });

  it("C12: is answered or rejected as too large at once, for any content of the body", async () => {
    const LIMIT = 64 * 1024;
    /** Builds a body of `size` bytes for venues/add: valid parameters, `before`, then `unit` repeated. */
    const bodyOf = (before: string, unit: string, size: number) => {
      const start = `${query({ ...api.user, ...api.newVenue() })}&${before}`;
      const times = (size - Buffer.byteLength(start)) / Buffer.byteLength(unit);
      return start + unit.repeat(times);
    };
    const post = (body: string, headers = FORM) =>
      fetch(`${directory.api}/v2/venues/add`, { method: "POST", headers, body });
    const units = ["x", "%20", "\n", "🍕", "e\u0301", "\u0301\u0327", "%", "a.", "-", "\ufdfa", "0", "(", "https://"];
    const fields = ["address", "url", "zip", "phone", "twitter"].flatMap((name) => units.map((unit) => [name, unit]));
    await forEach(fields, async ([name = "", unit = ""]) => {
      const { status } = await soon(`${name} of ${unit}`, () => post(bodyOf(`${name}=a`, unit, LIMIT)));
      expect([200, 400], `${name} of ${unit}`).toContain(status); // spaces and marks are cut off, all else is too long
    });
    const cases: [what: string, before: string, unit: string, size: number, status: number][] = [
      ["as many names as fit", "", "p=1&", LIMIT, 200],
      ["one unknown name over and over", "", "m&", LIMIT, 200],
      ["one known name over and over", "", "address&", LIMIT, 400],
      ["a byte too many", "m=", "x", LIMIT + 1, 413],
      ["a megabyte", "m=", "x", 1_000_000, 413],
    ];
    await forEach(cases, async ([what, before, unit, size, status]) => {
      const answer = await soon(what, () => post(bodyOf(before, unit, size)));
      expect([what, answer.status]).toEqual([what, status]);
    });
    const parts = multipart(Array.from({ length: 600 }, (_, index) => [`p${index}`, ""]));
    expect((await soon("parts", () => post(parts, { "content-type": TYPE }))).status).toBe(413);
  });
});
