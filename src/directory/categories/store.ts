import type { PrismaClient } from "../../db/generated/client.ts";
import { allCategories, categoryPath } from "./tree.ts";

/**
 * Writes only differences, in tree order, so it can run at every start and in several processes. Keeps categories
 * removed from the tree, because venues may have them.
 */
export async function storeCategories(prisma: PrismaClient): Promise<void> {
  const rows = allCategories.map(({ id, name, pluralName, shortName, icon }, position) => ({
    id,
    parent_id: categoryPath(id).at(-2)?.id ?? null,
    name,
    plural_name: pluralName,
    short_name: shortName,
    icon,
    position,
  }));
  await prisma.$executeRaw`
    INSERT INTO directory.category AS stored (id, parent_id, name, plural_name, short_name, icon, position)
    SELECT id, parent_id, name, plural_name, short_name, icon, position
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row
      (id text, parent_id text, name text, plural_name text, short_name text, icon text, position int)
    ORDER BY position
    ON CONFLICT (id) DO UPDATE SET
      parent_id = excluded.parent_id, name = excluded.name, plural_name = excluded.plural_name,
      short_name = excluded.short_name, icon = excluded.icon, position = excluded.position
    WHERE stored IS DISTINCT FROM excluded`;
}
