import { readFileSync } from "node:fs";
import { type Db, execute } from "../../db/sql.ts";
import { decodeLine } from "../map/lines.ts";

const FILE = new URL("../../../prisma/sample/areas.json", import.meta.url);
const CREDIT = "Boundaries: U.S. Census Bureau";

/** The land of the sample by postal code, and the states around it, so that only water is left. */
export async function storeAreas(db: Db): Promise<void> {
  const areas = JSON.parse(readFileSync(FILE, "utf8")) as { name: string; rings: string[] }[];
  const rows = areas.map(({ name, rings }) => {
    const points = rings.flatMap(decodeLine);
    const lats = points.map(({ lat }) => lat);
    const lngs = points.map(({ lng }) => lng);
    const south = Math.min(...lats);
    const west = Math.min(...lngs);
    const north = Math.max(...lats);
    const east = Math.max(...lngs);
    return { id: `sample ${name}`, name, rings, credit: CREDIT, south, west, north, east };
  });
  await execute(db)`
    INSERT INTO directory.area SELECT * FROM json_populate_recordset(NULL::directory.area, ${JSON.stringify(rows)})
    ON CONFLICT DO NOTHING`;
}
