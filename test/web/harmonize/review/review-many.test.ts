import { expect, test } from "vitest";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await startWeb();
const fay = await web.logIn();

test("a queue too long to count shows 'Many' and no progress bar", async () => {
  const { id } = await makeHarmonization(web.database, await ownerOf(web), [], {
    ...{ directory: web.directory.baseUrl, listingCount: 10_001 },
  });
  await web.database.prisma.$executeRaw`
    INSERT INTO app.listing (harmonization_id, number, line, cells, query, status, score, best_id)
    SELECT ${id}::uuid, n, n, '{}', '{"name": "Shop"}', 'asked', 0.5, 'v1' FROM generate_series(1, 10001) n`;
  const card = await fay.get(`/harmonizations/${id}/review/1`);
  expect(card.body).toContain("<b>Many</b> to review");
  expect(card.body).not.toContain("<progress");
  await web.database.prisma.listing.deleteMany({ where: { harmonizationId: id, number: 10_001 } });
  expect((await fay.get(`/harmonizations/${id}/review/1`)).body).toContain("<b>1</b> of 10,000 to review");
});
