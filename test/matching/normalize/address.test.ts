import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressWords, readAddress, sameHouse } from "../../../src/matching/normalize/address.ts";
import { texts } from "../texts.ts";

/** Formats what was read, as in "17-19? main st [unit 5]". */
function told(text: string): string {
  const { numbers, isUnsure, street, ...parts } = readAddress(text);
  const ranges = numbers.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(",");
  const others = Object.entries(parts).map(([part, value]) => `[${part} ${value}]`);
  return [ranges && ranges + (isUnsure ? "?" : ""), ...street, ...others].filter(Boolean).join(" ");
}

describe("an address", () => {
  test.each([
    ["17 Main Street", "17 main st"],
    ["Main Street, 17", "17 main st"],
    ["3-120 Main St", "3 main st"],
    ["01-30/31, Great Mall", "great mall [level 1] [unit 30]"],
    ["5, Soon Lee Street", "5 soon lee st"],
    ["17-19 Main St", "17-19 main st"],
    ["Main St 17/19", "17-19 main st"],
    ["Princes Street, 101 - 103", "101-103 princes st"],
    ["79A Princes St.", "79 princes st"],
    ["19-3 Main St", "19 main st"],
    ["12 5th Ave", "12 5 ave"],
    ["5th Ave", "5 ave"],
    ["Fifth Avenue", "5 ave"],
    ["228 W. 52nd St.", "228 w 52 st"],
    ["12 North Main Street", "12 n main st"],
    ["No. 12, Lane 3", "12 ln 3"],
    ["12 Main St #4", "12 main st [unit 4]"],
    ["10 Main St Ste 200", "10 main st [unit 200]"],
    ["Suite 200, 12 Main St", "12 main st [unit 200]"],
    ["Unit 5/17 High Street", "17 high st [unit 5]"],
    ["Unit 4 - 494 Bay Road", "494 bay rd [unit 4]"],
    ["Shop No. 5, 12 High Street", "12 high st [unit 5]"],
    ["#B2-05/06, Great Mall, 8A High Street", "8 high st [level b2] [unit 5]"],
    ["Olmos 425 Col Hidalgo", "425? olmos 425 col hidalgo"],
    ["Rekikuja 3 C 25", "3,25? rekikuja 3 c 25"],
    ["Jurong West Street 42 931", "931 jurong w st 42"],
    ["Level 2, Great Mall, 4 High Street", "4 high st [level 2]"],
    ["12 High St, 3/F", "12 high st [level 3]"],
    ["2nd Floor, 12 High St", "12 high st [level 2]"],
    ["Blk 701 #01-08 Tampines", "701 tampines [level 1] [unit 8]"],
    ["Hougang Street 21, Blk 209", "209 hougang st 21"],
    ["529 Tampines Avenue 8", "529 tampines ave 8"],
    ["Tampines Avenue 8", "8? tampines ave 8"],
    ["Route 66", "66? rte 66"],
    ["1600 Amphitheatre Pkwy, Mountain View, CA 94043", "1600 amphitheatre pkwy [postal 94043]"],
    ["221B Baker St, London W10 5AB", "221 baker st [postal w10 5ab]"],
    ["12 Foo Road Singapore (218077)", "12 foo rd [postal 218077]"],
    ["Bahnhofstrasse 3, 8001 Zürich", "3 bahnhofstr [postal 8001]"],
    ["Hauptstraße 5 a, 10115 Berlin", "5 hauptstr [postal 10115]"],
    ["Hauptstr. 5a", "5 hauptstr"],
    ["Carrer de Mallorca, 401", "401 carrer mallorca"],
    ["C/ de Mallorca s/n", "calle mallorca"],
    ["Av. Carlos Cano, Glorieta", "ave carlos cano"],
    ["P.O. Box 12", "[box 12]"],
    ["ул. Тверская, д. 5", "5 улица тверская"],
    ["中山路12号", "12 中山路"],
    ["Cra. 7 No. 71-21", "50971 carrera 7"],
    ["Carrera 7 # 71-21", "50971 carrera 7"],
    ["Calle 26 Sur # 9-35, Bogotá", "4206 calle 26"],
    ["Váci utca 10. I. em. 3.", "10 vaci utca"],
    ["Váci u. 10", "10 vaci utca"],
    ["Hauptstr. 5, 2. OG", "5 hauptstr [level 2]"],
    ["銀座2丁目8番1号", "17424 銀座"],
    ["銀座2-8-1", "17424 銀座"],
    ["中山路12号3楼", "12 中山路 [level 3]"],
    ["15/A High Street", "15 high st"],
    ["Main St 0123 / 0124", "123-124 main st"],
    ["شارع الملك ١٢", "12 شارع الملك"],
    ["Długa 5 m. 7", "5 dluga [unit 7]"],
    ["Atatürk Cad. No:15 Kat:2 D:4", "15 ataturk caddesi [level 2] [unit 4]"],
    ["ул. Ленина, д. 15, стр. 2", "15 улица ленина"],
    ["12 rue Foch, 3e étage", "12 rue foch [level 3]"],
    ["૧૨ Station Road", "12 station rd"],
    ["Room & Board", "room board"],
    ["Suite 200", "[unit 200]"],
    [" , ,", ""],
  ])("%j is read as %j", (text, expected) => expect(told(text)).toBe(expected));

  test.each([
    ["Jalan Besar", "Jln. Besar"],
    ["Hauptstraße", "Hauptstr."],
    ["12 North Main Street", "12 N. Main St."],
    ["First Avenue", "1st Ave"],
    ["14 W 59 St", "14 West 59th Street"],
    ["1 E 103 St", "1 East 103rd Street"],
    ["7 3 Ave", "7 Third Avenue"],
    ["1 E 111 St", "1 E 111th St"],
    ["O'Connell Road", "OConnell rd"],
  ])("has the same form with %j and %j", (one, other) => {
    expect(addressWords(one)).toEqual(addressWords(other));
    expect(readAddress(one).street).toEqual(readAddress(other).street);
  });

  test.each([
    ["17-19 Main St", "18 Main St", true],
    ["17 Main St", "Main St, 18", false],
    ["Main St", "Main St, 18", undefined],
    ["Avenue 8", "529 Avenue 8", undefined],
    ["Queen Street 45", "45 Queen Street", true],
    ["Carrera 7 # 91-20", "Carrera 7 # 1-13", false],
    ["銀座2-8-1", "銀座3-8-15", false],
    ["3-120 Main St", "120 Main St", true],
    ["3-120 Main St", "3 Main St", undefined],
    ["3-120 Main St", "50 Main St", false],
    ["37-12 Main St", "37-9 Main St", false],
    ["37-12 Main St", "37-45 Main St", undefined],
    ["19-3 Main St", "3 Main St", undefined],
    ["19-3 Main St", "19 Main St", true],
    ["12A Main St", "12 Main St", true],
    ["12A Main St", "12B Main St", false],
  ])("%j has the same house number as %j: %s", (a, b, expected) => {
    expect(sameHouse(readAddress(a), readAddress(b))).toBe(expected);
  });

  test("is read the same in upper and lower case, without an error for any text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readAddress(text.toUpperCase())).toEqual(readAddress(text.toLowerCase()));
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readAddress(text)));
  });
});
