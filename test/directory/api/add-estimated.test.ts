import { beforeAll, describe, expect, test } from "vitest";
import { apiHost, freshVenue, venueOf } from "./host.ts";

const host = await apiHost({ sample: true });
const TOWN = { city: "Providence", state: "RI" };
const FROM = { lat: 41.87, lng: -71.37 };
/** To the north; 0.0009 degrees of latitude are 100 m. */
const at = (metres: number) => `${FROM.lat + (metres * 0.0009) / 100},${FROM.lng}`;
const add = (fields: Record<string, string>) => host.asUser("/v2/venues/add", freshVenue({ ...TOWN, ...fields }));

interface Duplicates {
  candidateDuplicateVenues?: { id: string }[];
}
const duplicates = async (fields: Record<string, string>) =>
  ((await add(fields)).body.response as Duplicates).candidateDuplicateVenues?.map(({ id }) => id);

/** Which of the two positions was estimated from the address. */
const SIDES = [
  ["the new venue", { positionByAddress: "true" }, {}],
  ["the one in the directory", {}, { positionByAddress: "true" }],
] as const;

describe.each(SIDES)("C78: if %s has an estimated position, a duplicate", (side, fresh, known) => {
  const numberOf = side === "the new venue" ? "41" : "43";
  const name = side === "the new venue" ? "Vermilion Walrus Tavern" : "Cobalt Ferret Bakery";
  const address = `${numberOf} Zebulon Quay`;
  let id = "";
  beforeAll(async () => {
    id = venueOf(await add({ name, address, ll: at(0), ...known })).id;
  });

  test.each([100, 300, 600, 900])("is one of the same name and address %i m away", async (metres) => {
    expect(await duplicates({ name, address, ll: at(metres), ...fresh })).toEqual([id]);
  });

  test("is one of a similar name at the address 600 m away", async () => {
    expect(
      await duplicates({ name: name.replace(" Tavern", "").replace(" Bakery", ""), address, ll: at(600), ...fresh }),
    ).toEqual([id]);
  });

  test("is none of another number of the street, of another name, or beyond the error of an estimate", async () => {
    const refused = [
      await duplicates({ name, address: `${numberOf}7 Zebulon Quay`, ll: at(600), ...fresh }),
      await duplicates({
        name: side === "the new venue" ? "Onyx Lantern Dentist" : "Basalt Pigeon Motors",
        address,
        ll: at(-600),
        ...fresh,
      }),
      await duplicates({ name, address, ll: at(-1450), ...fresh }),
    ];
    expect(refused).toEqual([undefined, undefined, undefined]);
  });
});

test("C78: two venues of one name and address are two branches if neither position is estimated and they are 900 m apart", async () => {
  const branch = { name: "Umber Quill Bookshop", address: "45 Zebulon Quay" };
  expect(await duplicates({ ...branch, ll: at(0) })).toBeUndefined();
  expect(await duplicates({ ...branch, ll: at(900) })).toBeUndefined();
});
