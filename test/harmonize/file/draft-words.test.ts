import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { shownPreview } from "../../../src/web/harmonize/draft/preview.ts";
import { makeAccount } from "../rows.ts";
import { startFiles } from "./reader.ts";

const { database, deps, upload, load } = await startFiles();
const warningsOf = async (...lines: string[]) => (await previewFile(deps, await upload(lines.join("\n")))).warnings;

describe("the draft of a file", () => {
  test("names a column that is not used because its values are not what its name says, unless another has its meaning", async () => {
    const rows = ["Joe,44.1,-69.1,yes,12", "Ann,44.2,-69.2,no,13", "Bea,44.3,-69.3,no,14"];
    const warnings = await warningsOf("name,lat,lng,phone,website", ...rows);
    expect(warnings.filter((text) => text.includes("is not used"))).toEqual([
      expect.stringMatching(/^“phone” is not used: most of its values, such as “yes”/),
      expect.stringMatching(/^“website” is not used: most of its values, such as “12”/),
    ]);
    const named = await warningsOf(
      "name,lat,lng,phone,telephone",
      ...rows.map((row) => `${row}`.replace(/\d+$/, "+1 207 555 0188")),
    );
    expect(named.filter((text) => text.includes("is not used"))).toEqual([]);
  });

  test("names rows of one name with one position and different addresses, and a longitude that is the latitude", async () => {
    const chain = ["High St 10,Ashby", "Mill Rd 17,Brook", "Elm Way 24,Calder", "Oak Ave 31,Dunmore"];
    const rows = chain.map((place, at) => `${at},Quillon,45.0,-68.5,${place}`);
    const warnings = await warningsOf("id,name,lat,lng,address,city", ...rows, "9,Joe,44.1036,44.1036,Elm St 3,Ashby");
    expect(warnings).toEqual([
      expect.stringMatching(/^Line 6 \(“Joe”\) has the same number for latitude and longitude/),
      "4 rows named “Quillon” share one position but have different addresses. Samespot ignores the position and uses their towns.",
    ]);
  });

  test("shows beside each of several columns of one meaning how they are joined", async () => {
    const file = await upload("name,number,street,city\nJoe,12,High Street,Ashby\nAnn,14,Low Street,Ashby\n");
    const { columns } = shownPreview(await previewFile(deps, file), file.columns);
    expect(columns.map(({ name, meaning, joined }) => [name, meaning, joined])).toEqual([
      ["name", "name", undefined],
      ["number", "address", "number + street"],
      ["street", "address.2", "number + street"],
      ["city", "city", undefined],
    ]);
  });

  test("has the columns of the owner's earlier file, and says so only if the guess is another", async () => {
    const accountId = await makeAccount(database, "Ada", deps.directoryUrl);
    const receive = async (name: string, text: string) => {
      const bytes = Readable.from([Buffer.from(text)]);
      return load(await receiveFile(deps, { accountId, name, bytes, signal: new AbortController().signal }));
    };
    const may = await receive("May.csv", "id,name,brand,lat,lng\n1,Joe,Zed,44.1,-69.1\n");
    expect(may.format).not.toHaveProperty("columnsFrom");
    const data = { state: "ready" as const, listingCount: 1, columns: { ...may.columns, name: [2, 1] } };
    await database.prisma.harmonization.update({ where: { id: may.id }, data });
    const june = await receive("June.csv", "brand,id,name,lat,lng\nZed,1,Joe,44.1,-69.1\n");
    expect([june.columns.name, june.format.columnsFrom]).toEqual([[0, 2], "May.csv"]);
    await database.prisma.harmonization.update({ where: { id: may.id }, data: { columns: { ...may.columns } } });
    const july = await receive("July.csv", "brand,id,name,lat,lng\nZed,1,Joe,44.1,-69.1\n");
    expect(july.format).not.toHaveProperty("columnsFrom");
    const other = await receive("Other.csv", "title,lat,lng\nJoe,44.1,-69.1\n");
    expect(other.format).not.toHaveProperty("columnsFrom");
  });
});
