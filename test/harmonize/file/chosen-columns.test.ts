import { expect, test } from "vitest";
import { chosenColumns } from "../../../src/files/chosen-columns.ts";
import { meanings, readSelects } from "../../../src/web/harmonize/draft/form.ts";

const HEADER = ["Name", "Straße", "Hausnr.", "Zusatz", "a+b"];

test.each<[string[], object, number]>([
  [["name", "address", "address.2", "address.3"], { name: 0, address: [1, 2, 3] }, 0],
  [["name", "address.3", "address", ""], { name: 0, address: [2, 1] }, 0],
  [["name", "", "address.2", ""], { name: 0, address: 2 }, 0],
  [["name", "address", "address", ""], { name: 0, address: 1 }, 1],
  [["name", "address.2", "address.2", "address"], { name: 0, address: [3, 1] }, 1],
  [["name", "address.0", "address.x", "address.99"], { name: 0 }, 0],
  [["name", "address.1", "address.02", "nothing"], { name: 0 }, 0],
])("W86: the choices %j of a page are read in their order", (chosen, columns, errors) => {
  const body = Object.fromEntries(chosen.map((value, index) => [`column-${index}`, value]));
  const read = readSelects(body, HEADER);
  expect([read.columns, read.errors.length]).toEqual([columns, errors]);
});

test("W86: the page offers every choice that a file has", () => {
  const values = meanings({ phone: [1, 2, 3] }).map(({ value }) => value);
  for (const value of ["address.2", "address.4", "lat.3", "phone", "phone.3"]) expect(values).toContain(value);
  expect(new Set(values).size).toBe(values.length);
});

test.each<[string, object]>([
  ["address=Straße+Hausnr.", { name: 0, address: [1, 2] }],
  ["address=Hausnr. + Straße", { name: 0, address: [2, 1] }],
  ["address=2+3+4,name=1", { name: 0, address: [1, 2, 3] }],
  ["address=a+b", { name: 0, address: 4 }],
  ["address=2+2", { name: 0, address: 1 }],
  ["city=Hausnr.", { name: 0, address: [1, 3], city: 2 }],
  ["address=none", { name: 0 }],
])("W86: --columns %s means these columns and leaves the others", (text, columns) => {
  expect(chosenColumns(text, HEADER, { name: 0, address: [1, 2, 3] })).toEqual(columns);
});

test("W86: --columns names the column of several that is not there", () => {
  expect(() => chosenColumns("address=Straße+Nr", HEADER, {})).toThrow("there is no column “Nr”");
});
