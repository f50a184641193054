import { describe, expect, test } from "vitest";
import { indexesOf } from "../../../src/files/columns.ts";
import { guessLayout } from "../../../src/files/guess/guess.ts";
import { givenIn } from "../../../src/files/row/row.ts";
import { keptColumns } from "../../../src/harmonize/file/kept-columns.ts";

async function guessed(header: string[], rows: string[][]) {
  const text = [header, ...rows]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    .join("\n");
  const layout = await guessLayout(Buffer.from(`${text}\n`), { isWhole: true, encoding: "utf-8", mostColumns: 500 });
  return { ...layout, given: rows.map((cells) => givenIn(cells, layout.columns)) };
}

interface Language {
  street: string[];
  number: string[];
  streets: string[];
  /** Of a street and its number. */
  written: (street: string, number: string) => string;
}
const behind = (street: string, number: string) => `${street} ${number}`;
const before = (street: string, number: string) => `${number} ${street}`;
const LANGUAGES: Record<string, Language> = {
  English: {
    street: ["street", "Street name", "addr:street"],
    number: ["housenumber", "House No.", "house_no", "Street Number", "addr:housenumber", "HouseNumber"],
    streets: ["Mill St", "Harbor Road", "Elm Street"],
    written: before,
  },
  German: {
    street: ["Straße", "Strasse", "STRASSE"],
    number: ["Hausnr.", "Hausnummer", "Haus-Nr", "Nr.", "HNR"],
    streets: ["Hauptstraße", "Am Markt", "Lindenweg"],
    written: behind,
  },
  Spanish: {
    street: ["calle", "Dirección", "Nombre vía"],
    number: ["número", "Nº", "num.", "Núm. exterior"].slice(0, 3),
    streets: ["Calle Mayor", "Avenida del Sol", "Plaza España"],
    written: behind,
  },
  French: {
    street: ["rue", "adresse", "nom_voie"],
    number: ["numéro", "N°", "numero_voie"],
    streets: ["Rue de Rome", "Avenue Foch", "Chemin du Lac"],
    written: before,
  },
  Dutch: {
    street: ["straat", "Straatnaam"],
    number: ["huisnummer", "Huisnr.", "nr"],
    streets: ["Kerkstraat", "Damplein", "Nieuwe Gracht"],
    written: behind,
  },
  Italian: {
    street: ["via", "Indirizzo"],
    number: ["civico", "Numero civico", "N."],
    streets: ["Via Roma", "Corso Italia", "Piazza Dante"],
    written: behind,
  },
  Portuguese: {
    street: ["rua", "Endereço", "morada"],
    number: ["número", "Nº"],
    streets: ["Rua Augusta", "Rua do Sol", "Travessa da Paz"],
    written: behind,
  },
  Polish: {
    street: ["ulica"],
    number: ["nr domu", "numer domu"],
    streets: ["ul. Długa", "ul. Krótka", "Aleja Róż"],
    written: behind,
  },
};
const NUMBERS = ["12", "14a", "7-9"];
const NAMES = ["Joe", "Ann’s Pub", "Corner Shop"];

describe("F110: a house number in its own column", () => {
  test.each(Object.entries(LANGUAGES))(
    "is joined with the street as one writes it: %s",
    async (_, { street, number, streets, written }) => {
      for (const streetName of street)
        for (const numberName of number)
          for (const isBefore of [true, false]) {
            const place = (one: string, other: string) => (isBefore ? [other, one] : [one, other]);
            const rows = streets.map((each, at) => [NAMES[at] ?? "", ...place(each, NUMBERS[at] ?? ""), "Lowport"]);
            const { given } = await guessed(["Name", ...place(streetName, numberName), "City"], rows);
            const wanted = streets.map((each, at) => written(each, NUMBERS[at] ?? ""));
            expect([streetName, numberName, isBefore, ...given.map(({ address }) => address)]).toEqual([
              streetName,
              numberName,
              isBefore,
              ...wanted,
            ]);
            expect(given.map(({ name }) => name)).toEqual(NAMES);
          }
    },
  );

  test("is found by its values beside a street, if no name tells it", async () => {
    const { given } = await guessed(
      ["A", "B", "C"],
      [
        ["Joe", "Hauptstraße", "12a"],
        ["Ann", "Lindenweg", "7"],
        ["Bob", "Marktplatz", "31"],
      ],
    );
    expect(given.map(({ address }) => address)).toEqual(["Hauptstraße 12a", "Lindenweg 7", "Marktplatz 31"]);
  });

  test("is not said twice, and its letter, kind of street and second line join it", async () => {
    const twice = await guessed(
      ["name", "street", "housenumber"],
      [
        ["Joe", "Mill St", "14"],
        ["Ann", "9 Elm St", "9"],
        ["Bob", "Oak Rd", "3"],
      ],
    );
    expect(twice.given.map(({ address }) => address)).toEqual(["14 Mill St", "9 Elm St", "3 Oak Rd"]);
    const many = await guessed(
      ["Nombre", "Tipo vía", "Nombre vía", "Número", "Complemento"],
      [
        ["Bar Sol", "Calle", "Mayor", "3", "Local 2"],
        ["Bar Luna", "Avenida", "del Mar", "12", ""],
        ["Bar Mar", "Plaza", "Nueva", "1", ""],
      ],
    );
    expect(many.given.map(({ address }) => address)).toEqual([
      "Calle Mayor 3, Local 2",
      "Avenida del Mar 12",
      "Plaza Nueva 1",
    ]);
    const letter = await guessed(
      ["Name", "Straße", "Hausnr.", "Zusatz"],
      [
        ["Joe", "Hauptstraße", "12", "a"],
        ["Ann", "Lindenweg", "7", ""],
        ["Bob", "Marktplatz", "3", "b"],
      ],
    );
    expect(letter.given.map(({ address }) => address)).toEqual(["Hauptstraße 12a", "Lindenweg 7", "Marktplatz 3b"]);
  });
});

const POSITIONS = [
  ["44.10368", "-69.10918"],
  ["44.1101412", "-69.1202213"],
  ["44.09689", "-69.10207"],
];
const SPELLINGS: ((whose: string) => [lat: string, lng: string])[] = [
  (whose) => [`${whose}_lat`, `${whose}_lng`],
  (whose) => [`${whose} Latitude`, `${whose} Longitude`],
  (whose) => [`${whose}.lat`, `${whose}.lon`],
  (whose) => [`lat_${whose}`, `lng_${whose}`],
  (whose) => [`${whose}Lat`, `${whose}Lng`],
];

describe("F111: of two positions of a row", () => {
  test.each(["depot", "warehouse", "hq", "customer", "user"])(
    "the place’s own counts, not that of its %s, and none is a phone",
    async (other) => {
      for (const own of ["shop", "store", "location", "geo"])
        for (const spelling of SPELLINGS)
          for (const isFirst of [true, false]) {
            const [mine, others] = [spelling(own), spelling(other)];
            const rows = POSITIONS.map(([lat = "", lng = ""], at) => {
              const far = [`43.${51 + at}11111`, `-70.${21 + at}22222`];
              return isFirst ? [NAMES[at] ?? "", lat, lng, ...far] : [...far, NAMES[at] ?? "", lat, lng];
            });
            const header = isFirst ? [`${own}_name`, ...mine, ...others] : [...others, `${own}_name`, ...mine];
            const { given } = await guessed(header, rows);
            expect([header, given.map(({ lat, lng, phone }) => [lat, lng, phone])]).toEqual([
              header,
              POSITIONS.map((ll) => [...ll, undefined]),
            ]);
          }
    },
  );

  test("the second fills the gaps of the first, row by row", async () => {
    for (const [first, second] of [
      ["lat,lon", "center.lat,center.lon"],
      ["latitude,longitude", "centroid_latitude,centroid_longitude"],
    ]) {
      const rows = POSITIONS.map((ll, at) => [NAMES[at] ?? "", ...(at === 1 ? ["", "", ...ll] : [...ll, "", ""])]);
      const { given } = await guessed(["name", ...`${first},${second}`.split(",")], rows);
      expect(given.map(({ lat, lng }) => [lat, lng])).toEqual(POSITIONS);
    }
  });

  test("its sides may stand in columns of their own, and a sign is not turned", async () => {
    for (const [north, west] of [
      ["N", "W"],
      ["north", "West"],
      ["Norte", "Oeste"],
      ["Nord", "Ouest"],
    ])
      for (const header of [
        ["name", "lat", "ns", "lon", "ew"],
        ["name", "Latitude", "Hemisphere N/S", "Longitude", "Hemisphere E/W"],
      ])
        for (const sign of ["", "-"]) {
          const rows = POSITIONS.map(([lat = "", lng = ""], at) => [
            NAMES[at] ?? "",
            lat,
            north ?? "",
            `${sign}${lng.slice(1)}`,
            west ?? "",
          ]);
          const { columns, given } = await guessed(header, rows);
          expect([columns.lat, columns.lng]).toEqual([
            [1, 2],
            [3, 4],
          ]);
          expect(given[0]?.lng).toBe(sign ? "-69.10918" : "69.10918 W");
        }
  });
});

describe("F112: a column is not taken for what its values are not", () => {
  test.each([
    ["decimals", ["44.10368", "44.11014", "144.1036"]],
    ["decimals with a comma", ["44,10368", "44,11014", "144,1036"]],
    ["dates", ["15.01.2024", "16.01.2024", "03.02.2024"]],
    ["amounts", ["1.234.567", "2.345.678", "3.456.789"]],
  ])("%s are no phone", async (_, values) => {
    const { columns } = await guessed(
      ["name", "city", "figure"],
      values.map((value, at) => [NAMES[at] ?? "", "Lowport", value]),
    );
    expect(columns).toEqual({ name: 0, city: 1 });
  });

  test.each([
    ["address.@type", "PostalAddress", "address"],
    ["Address", "PostalAddress", "address"],
    ["Phone", "yes", "phone"],
    ["Zip", "Lowport", "zip"],
    ["City", "https://lowport.example", "city"],
    ["Latitude", "north", "lat"],
    ["Website", "none yet", "url"],
  ] as const)("%s with %s is left out, and a better column is taken", async (name, value, field) => {
    const { columns } = await guessed(
      ["name", name],
      NAMES.map((each) => [each, value]),
    );
    expect(columns[field]).toBeUndefined();
  });

  test("an empty column of ids leaves the ids to another", async () => {
    const { columns } = await guessed(
      ["id", "Store code", "name"],
      NAMES.map((name, at) => ["", `S-${at}`, name]),
    );
    expect(columns.id).toBe(1);
  });

  test.each([
    ["Country / Region", "US", "country"],
    ["Region / Country", "US", "country"],
    ["location.postalCode", "04098", "zip"],
    ["address.addressLocality", "Lowport", "city"],
    ["address.addressRegion", "ME", "state"],
    ["address.streetAddress", "14 Mill St", "address"],
    ["Administrative area", "ME", "state"],
    ["storeAddress_zipCode", "04098", "zip"],
    ["contact:phone", "+1 207 555 0188", "phone"],
    ["geo_point_2d", "44.1, -69.1", "ll"],
  ] as const)("%s is known", async (name, value, field) => {
    const { columns } = await guessed(
      ["name", name],
      NAMES.map((each) => [each, value]),
    );
    expect(columns).toEqual({ name: 0, [field]: 1 });
  });

  test("structures in cells are read, as JSON, as Python and as DuckDB write them", async () => {
    const header = ["id", "names", "addresses", "categories", "phones", "geo_point"];
    const cells = (name: string, street: string) => ({
      JSON: [
        `{"primary":"${name}","common":null}`,
        `[{"freeform":"${street}","locality":"Lowport","postcode":"04098","region":"ME","country":"US"}]`,
        `{"primary":"bakery","alternate":["cafe"]}`,
        `["+12075550188"]`,
        `{"lon":-69.1,"lat":44.1}`,
      ],
      Python: [
        `{'primary': '${name}', 'common': None}`,
        `[{'freeform': '${street}', 'locality': 'Lowport', 'postcode': '04098', 'region': 'ME', 'country': 'US'}]`,
        `{'primary': 'bakery', 'alternate': ['cafe']}`,
        `['+12075550188']`,
        `{'lon': -69.1, 'lat': 44.1}`,
      ],
      DuckDB: [
        `{'primary': ${name}, 'common': NULL}`,
        `[{'freeform': ${street}, 'locality': Lowport, 'postcode': 04098, 'region': ME, 'country': US}]`,
        `{'primary': bakery, 'alternate': [cafe]}`,
        `[+12075550188]`,
        `{'lon': -69.1, 'lat': 44.1}`,
      ],
    });
    const streets = ["14 Mill St", "9 N Main St, Suite 5", "31 Elm St"];
    for (const form of ["JSON", "Python", "DuckDB"] as const) {
      const rows = NAMES.map((name, at) => [`p-${at}`, ...cells(name, streets[at] ?? "")[form]]);
      const { given } = await guessed(header, rows);
      expect([form, given.map(({ wholeAddress: _, ...each }) => each)]).toEqual([
        form,
        NAMES.map((name, at) => ({
          id: `p-${at}`,
          name,
          address: streets[at],
          city: "Lowport",
          zip: "04098",
          state: "ME",
          country: "US",
          category: "bakery",
          phone: "+12075550188",
          ll: "44.1, -69.1",
        })),
      ]);
    }
  });
});

test("W85: the columns of an edition are those of the one before by their names, wherever they stand now", () => {
  const earlier = { header: ["id", "Straße", "Hausnr.", "Firma"], columns: { id: 0, name: 3, address: [1, 2] } };
  const orders = [
    ["Hausnr.", "Firma", "id", "Straße"],
    ["Neu", "Straße", "Firma", "Hausnr.", "id"],
  ];
  for (const header of orders) {
    const kept = keptColumns(earlier, {
      header,
      columns: { name: header.indexOf("Neu"), address: header.indexOf("Straße") },
    });
    expect(kept && indexesOf(kept, "address").map((at) => header[at])).toEqual(["Straße", "Hausnr."]);
    expect([header[Number(kept?.name)], header[Number(kept?.id)]]).toEqual(["Firma", "id"]);
  }
  expect(keptColumns(earlier, { header: ["id", "Straße", "Firma"], columns: {} })).toBeUndefined();
});
