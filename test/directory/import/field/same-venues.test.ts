import { writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { readVenues } from "../../../../src/directory/import/read-venues.ts";
import { COLUMNS, venueRow } from "../../../../src/directory/import/venue-row.ts";
import { randomId } from "../../../../src/shared/crypto.ts";
import { textRows, workbookOf, zipOf } from "../../../harmonize/formats/workbooks.ts";

const HEADER = ["Nr.", "Name", "Straße", "Hausnr.", "PLZ", "Ort", "Land", "Breite", "Länge", "Telefon", "Notiz"];
const ROWS = [
  [
    "1",
    "Café Müller",
    "Hauptstraße",
    "5",
    "04109",
    "Königsee",
    "Deutschland",
    "51.34061",
    "12.37471",
    "0341 5550101",
    "x",
  ],
  [
    "2",
    "Bäckerei; Söhne",
    "Am Anger",
    "12a",
    "07426",
    "Königsee",
    "Deutschland",
    "50.66081",
    "11.09741",
    "03738 555012",
    "y",
  ],
  [
    "3",
    "Gasthof, Zur Post",
    "Größe Gasse",
    "7-9",
    "99084",
    "Würzdorf",
    "Deutschland",
    "50.97871",
    "11.03281",
    "0361 5550103",
    "",
  ],
];
const READ = [
  ["Café Müller", 51.34061, 12.37471, "Hauptstraße 5", "Königsee", "04109", "DE", "0341 5550101"],
  ["Bäckerei; Söhne", 50.66081, 11.09741, "Am Anger 12a", "Königsee", "07426", "DE", "03738 555012"],
  ["Gasthof, Zur Post", 50.97871, 11.03281, "Größe Gasse 7-9", "Würzdorf", "99084", "DE", "0361 5550103"],
];

const delimited = (separator: string) =>
  [HEADER, ...ROWS]
    .map((row) => row.map((cell) => (/[;,|\t]/.test(cell) ? `"${cell}"` : cell)).join(separator))
    .join("\r\n");
const records = ROWS.map((row) => Object.fromEntries(HEADER.map((name, at) => [name, row[at]])));
const features = records.map(({ Breite, Länge, ...properties }) => ({
  ...{ type: "Feature", properties },
  geometry: { type: "Point", coordinates: [Number(Länge), Number(Breite)] },
}));

const ENCODINGS: Record<string, (text: string) => Buffer> = {
  "UTF-8": (text) => Buffer.from(text),
  "UTF-8 with a mark": (text) => Buffer.from(`\uFEFF${text}`),
  "UTF-16LE": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  "UTF-16BE": (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
};
const TEXTS: Record<string, string> = {
  "a list of objects": JSON.stringify(records),
  "a list within an object": JSON.stringify({ total: 3, data: { places: records } }, null, 2),
  "an object per line": records.map((record) => `${JSON.stringify(record)}\n`).join(""),
  GeoJSON: JSON.stringify({ type: "FeatureCollection", features }),
  "features per line": features.map((feature) => `${JSON.stringify(feature)}\n`).join(""),
};
const separated = Object.entries({ commas: ",", semicolons: ";", tabs: "\t", bars: "|" }).map(
  ([name, separator]): [string, string] => [name, delimited(separator)],
);
const cases: [name: string, bytes: Buffer][] = [
  ...[...separated, ...Object.entries(TEXTS)].flatMap(([what, text]) =>
    Object.entries(ENCODINGS).map(([encoding, encoded]): [string, Buffer] => [`${what} in ${encoding}`, encoded(text)]),
  ),
  ...separated.map(([what, text]): [string, Buffer] => [`${what} in Latin-1`, Buffer.from(text, "latin1")]),
  ["a workbook", await workbookOf({ sheets: [{ name: "Orte", rows: textRows([HEADER, ...ROWS]) }] })],
];
const packed = await Promise.all(
  cases.flatMap(([name, bytes]) => [
    [`${name}, as gzip`, gzipSync(bytes)] as const,
    zipOf({ "places.txt": bytes }).then((zip) => [`${name}, as zip`, zip] as const),
  ]),
);

// The name says nothing of what is inside.
test.each([...cases, ...packed])("F115: %s gives the same venues", async (_, bytes) => {
  const file = path.join(inject("run").folder, `${randomId()}.json`);
  writeFileSync(file, bytes);
  const found: unknown[] = [];
  for await (const { fields = {} } of readVenues(file)) {
    const { row = [] } = venueRow(fields, { source: "family", keepIds: false });
    found.push(
      ["name", "lat", "lng", "address", "city", "zip", "cc", "phone"].map(
        (name) => row[COLUMNS.indexOf(name as never)],
      ),
    );
  }
  expect(found).toEqual(READ);
});
