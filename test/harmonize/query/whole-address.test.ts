import { describe, expect, test } from "vitest";
import { positionInLink } from "../../../src/files/row/map-link.ts";
import { fromE7, parseDegrees } from "../../../src/files/row/position.ts";
import { tidyZip } from "../../../src/files/row/row.ts";
import { wholeAddressOf } from "../../../src/files/row/whole-address.ts";
import { missingColumns } from "../../../src/harmonize/file/preview.ts";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";

interface Form {
  street: string;
  city: string;
  zip: string;
  state?: string;
  country: string;
  /** Of what stands behind the street, with the parts that `,` separates. */
  tail: (form: Form) => string;
}

const behind = ({ city, zip }: Form) => `${city}, ${zip}`;
const before = ({ city, zip }: Form) => `${zip} ${city}`;
const withState = ({ city, state, zip }: Form) => `${city}, ${state} ${zip}`;

const FORMS: Form[] = [
  { street: "14 Mill St", city: "Lowport", state: "ME", zip: "04098", country: "USA", tail: withState },
  { street: "290 Bremner Blvd", city: "Toronto", state: "ON", zip: "M5V 3L9", country: "Canada", tail: withState },
  { street: "1 Macquarie St", city: "Sydney", state: "NSW", zip: "2000", country: "Australia", tail: withState },
  { street: "10 Downing St", city: "London", zip: "SW1A 2AA", country: "United Kingdom", tail: behind },
  { street: "12 Rue de la Paix", city: "Paris", zip: "75002", country: "France", tail: before },
  { street: "Hauptstr. 5", city: "Berlin", zip: "10115", country: "Deutschland", tail: before },
  { street: "Bahnhofstrasse 3a", city: "Zürich", zip: "8001", country: "Schweiz", tail: before },
  { street: "Calle Mayor 10", city: "Madrid", zip: "28013", country: "España", tail: before },
  { street: "Via Roma 5", city: "Torino", zip: "10121", country: "Italia", tail: before },
  { street: "Dam 1", city: "Amsterdam", zip: "1012 JS", country: "Nederland", tail: before },
  { street: "ul. Długa 5", city: "Warszawa", zip: "00-238", country: "Polska", tail: before },
  { street: "Drottninggatan 5", city: "Stockholm", zip: "111 51", country: "Sverige", tail: before },
  {
    street: "Av. Brasil 123",
    city: "Campinas",
    state: "SP",
    zip: "13010-000",
    country: "Brasil",
    tail: ({ city, state, zip }) => `${city} - ${state}, ${zip}`,
  },
];

describe("a whole address is taken apart", () => {
  const orders = FORMS.flatMap((form) =>
    [", ", "\n", " | "].flatMap((separator) =>
      [false, true].flatMap((hasName) =>
        [false, true].flatMap((hasCountry) =>
          [false, true].map((hasPoint) => ({ form, separator, hasName, hasCountry, hasPoint })),
        ),
      ),
    ),
  );
  test(`in ${orders.length} forms of ${FORMS.length} countries, with and without name, country and position`, () => {
    for (const { form, separator, hasName, hasCountry, hasPoint } of orders) {
      const { street, city, state, zip, country, tail } = form;
      const parts = [
        hasName && "Larkspur Bakery",
        street,
        tail(form),
        hasCountry && country,
        hasPoint && "(44.10368, -69.10918)",
      ];
      const written = parts.filter(Boolean).join(separator);
      expect({ written, ...wholeAddressOf(written) }).toEqual({
        ...{ written, address: street, city, zip },
        ...(state && { state }),
        ...(hasName && { name: "Larkspur Bakery" }),
        ...(hasCountry && { country }),
        ...(hasPoint && { lat: 44.10368, lng: -69.10918 }),
      });
    }
  });

  const STREETS = [
    "14 Mill St",
    "154 Atwells Avenue",
    "12 St James Street",
    "1 Mill Park Road",
    "1600 Grand Blvd. NW",
    "20 Broadway",
  ];
  const TOWNS = [
    "Lowport",
    "Central Falls",
    "Park City",
    "West Warwick",
    "St. Louis",
    "New York",
    "Jersey City",
    "Lake Forest",
  ];
  const STATES = [undefined, "RI", "Rhode Island", "New York", "New Jersey", "West Virginia", "Georgia"];
  test("without a comma, with and without unit, state, postal code and country", () => {
    for (const street of STREETS)
      for (const unit of ["", " Suite 200", " #4", " # 4"])
        for (const city of TOWNS)
          for (const state of STATES)
            for (const zip of [undefined, "02903", "02903-1234"])
              for (const country of [undefined, "USA", "US", "United States of America"]) {
                const written = [`${street}${unit}`, city, state, zip, country].filter(Boolean).join(" ");
                const found = { ...(state && { state }), ...(zip && { zip }), ...(country && { country }) };
                expect({ written, ...wholeAddressOf(written) }).toEqual({
                  ...{ written, address: `${street}${unit}`, city, ...found },
                });
              }
  });

  test.each([
    ["12 Avenue de France", { address: "12 Avenue de France" }],
    ["5 Rue de France 75002 Paris", { address: "5 Rue de France", city: "Paris", zip: "75002" }],
    ["350 5th Ave New York", { address: "350 5th Ave", city: "New York" }],
    [
      "10 Downing Street London SW1A 2AA UK",
      { address: "10 Downing Street", city: "London", zip: "SW1A 2AA", country: "UK" },
    ],
    [
      "Calle Mayor 5 28013 Madrid España",
      { address: "Calle Mayor 5", city: "Madrid", zip: "28013", country: "España" },
    ],
    ["14 Mill St Lowport ME 04098", { address: "14 Mill St", city: "Lowport", state: "ME", zip: "04098" }],
    ["Hauptstr. 5 10115 Berlin", { address: "Hauptstr. 5", city: "Berlin", zip: "10115" }],
    ["1051 Budapest, Váci utca 12", { address: "Váci utca 12", city: "Budapest", zip: "1051" }],
    ["350 5th Ave, New York, NY", { address: "350 5th Ave", city: "New York", state: "NY" }],
    ["350 5th Ave, New York", { address: "350 5th Ave", city: "New York" }],
    ["12 High Street", { address: "12 High Street" }],
    ["1276 Bald Hill Road", { address: "1276 Bald Hill Road" }],
    ["1276 Bald Hill Road Warwick", { address: "1276 Bald Hill Road", city: "Warwick" }],
    ["12 High Street, Flat 2", { address: "12 High Street, Flat 2" }],
    ["Tampines Mall, Level 2", { address: "Tampines Mall, Level 2" }],
  ])("%j", (written, parts) => expect(wholeAddressOf(written)).toEqual(parts));
});

test("a position is read from links of map services, those of the place first", () => {
  const [lat, lng] = ["44.10368", "-69.10918"];
  const links = [
    `https://www.google.com/maps/place/X/@40.1,-60.1,17z/data=!3m1!4m6!8m2!3d${lat}!4d${lng}`,
    ...["q", "query", "ll", "daddr", "destination", "center"].map(
      (name) => `https://maps.example.com/?z=1&${name}=${lat},${lng}`,
    ),
    `https://www.google.com/maps/@${lat},${lng},15z`,
    `https://www.google.com/maps/search/${lat},${lng}`,
    `https://maps.google.com/?q=loc:${lat}+${lng}`,
    `https://maps.apple.com/?ll=${lat}%2C${lng}&q=X`,
    `https://www.bing.com/maps?cp=${lat}~${lng}`,
    `https://www.openstreetmap.org/#map=17/${lat}/${lng}`,
    `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/1/2`,
    `https://yandex.com/maps/?ll=${lng}%2C${lat}&z=12`,
    `geo:${lat},${lng}?z=12`,
    `geo:0,0?q=${lat},${lng}(X)`,
  ];
  for (const link of links) expect([link, positionInLink(link)]).toEqual([link, [lat, lng]]);
  for (const none of ["https://maps.app.goo.gl/AbC", "https://example.com/shop?id=12", "larkspur.example"])
    expect(positionInLink(none)).toBeUndefined();
});

test("packed degrees and ten-millionths are read, and metres are none", () => {
  for (const [written, value] of [
    ["440613N", 44.1036],
    ["0690633W", -69.1092],
    ["690633W", -69.1092],
    ["4406.217N", 44.1036],
    ["44N", 44],
    ["169W", -169],
  ] as const)
    expect(parseDegrees(written)?.value).toBeCloseTo(value, 4);
  expect(fromE7({ lat: 441036800, lng: -691091800 })).toEqual({ lat: 44.10368, lng: -69.10918 });
  expect(fromE7({ lat: 5171245, lng: -7950682 })).toEqual({ lat: 5171245, lng: -7950682 });
});

test("a latitude that was copied into the longitude is left out for the town, or named", () => {
  const header = ["name", "lat", "lng", "city"];
  const read = (cells: string[]) => toQuery(cells, header, { name: 0, lat: 1, lng: 2, city: 3 });
  expect(read(["Joe", "44.1036", "44.1036", "Lowport"]).query).toMatchObject({
    near: "Lowport",
    repaired: { by: "twice" },
  });
  expect(read(["Joe", "44.1036", "44.1036", ""]).problem).toMatchObject({ code: "one_coordinate" });
  expect(read(["Joe", "44", "44", ""]).query?.ll).toEqual({ lat: 44, lng: 44 });
});

test("a postal code gets back what a spreadsheet has taken, by its country", () => {
  expect(tidyZip("4098.0", { country: "US" })).toBe("04098");
  expect(tidyZip("4098", { country: "USA" })).toBe("04098");
  expect(tidyZip("4098.0", {})).toBe("4098");
  expect(tidyZip("4098", { country: "Schweiz" })).toBe("4098");
  expect(tidyZip("18956", { country: "SG" })).toBe("018956");
  expect(tidyZip("04098-1234", { country: "US" })).toBe("04098-1234");
});

test("a list of one column, with name and address in one cell, can be started and matched", () => {
  const columns = { wholeAddress: 0 };
  expect(missingColumns(columns)).toEqual([]);
  const { query } = toQuery(["Mignonette, 301 Wickenden St, Providence, RI 02903"], ["Place"], columns);
  expect(query).toMatchObject({ name: "Mignonette", address: "301 Wickenden St", city: "Providence", zip: "02903" });
  const { problem } = toQuery(["301 Wickenden St, Providence, RI 02903"], ["Place"], columns);
  expect(problem).toMatchObject({ code: "no_name" });
});

test("the town may stand before the street in a whole address of a row with a name", () => {
  for (const [written, address, city] of [
    ["Warwick, 1276 Bald Hill Road", "1276 Bald Hill Road", "Warwick"],
    ["Berlin, Hauptstr. 5", "Hauptstr. 5", "Berlin"],
  ] as const) {
    const { query } = toQuery(["Larkspur", written], [], { name: 0, wholeAddress: 1 });
    expect(query).toMatchObject({ name: "Larkspur", address, city });
    const alone = toQuery([written], [], { wholeAddress: 0 });
    expect(alone.query ?? alone.problem).not.toHaveProperty("city");
  }
  const mall = toQuery(["Larkspur", "Larkspur, 14 Mill St"], [], { name: 0, wholeAddress: 1 });
  expect(mall.query ?? mall.problem).not.toHaveProperty("city");
});

test("a cell of town, state and postal code is taken apart beside a street, and a district or a bare town is not", () => {
  const asked = (city: string) => toQuery(["Joe’s", "14 Mill St", city], [], { name: 0, address: 1, city: 2 }).query;
  for (const cell of ["Lowport, ME 04098", "Lowport ME 04098"])
    expect(asked(cell)).toMatchObject({ city: "Lowport", state: "ME", zip: "04098", address: "14 Mill St" });
  for (const cell of ["Paris 8e", "Providence, RI", "12 Oak St, Lowport, ME 04098"])
    expect(asked(cell)).toMatchObject({ city: cell, address: "14 Mill St" });
});
