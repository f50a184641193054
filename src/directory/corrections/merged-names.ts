import type { PoolClient } from "pg";
import { execute, queryRows, rawSql } from "../../db/sql.ts";
import type { OtherName } from "../../matching/prepare.ts";
import { otherNamesNorm, otherNamesOf } from "../venues/other-names.ts";

interface Named {
  id: string;
  name: string;
  otherNames: OtherName[] | null;
}

/** Gives the venues that stay the names of those that become one with them. */
export async function giveNames(client: PoolClient, merges: readonly { id: string; into: string }[]): Promise<void> {
  const named = await namesOf(
    client,
    merges.flatMap(({ id, into }) => [id, into]),
  );
  const given = [...Map.groupBy(merges, ({ into }) => into)].flatMap(([into, own]): Named[] => {
    const venue = named.get(into);
    const names = own.flatMap(({ id }) => allNamesOf(named.get(id)));
    return venue ? [{ ...venue, otherNames: otherNamesOf(venue.name, [...(venue.otherNames ?? []), ...names]) }] : [];
  });
  await writeNames(
    client,
    given.filter(({ id, otherNames }) => !isSame(otherNames, named.get(id)?.otherNames ?? null)),
  );
}

/** Takes from a venue the names that the merge of another gave it. `had`: those that it had before. */
export async function takeNames(
  client: PoolClient,
  { into, merged, had }: { into: string; merged: { name: string; other_names: OtherName[] | null }; had: OtherName[] },
): Promise<void> {
  const venue = (await namesOf(client, [into])).get(into);
  if (!venue?.otherNames) return;
  const given = new Set([merged.name, ...(merged.other_names ?? []).map(({ name }) => name)]);
  const kept = venue.otherNames.filter(
    (each) => !each.merged || !given.has(each.name) || had.some(({ name }) => name === each.name),
  );
  await writeNames(client, [{ ...venue, otherNames: otherNamesOf(venue.name, kept) }]);
}

/** Gives venues of the table `incoming` the names of those that were merged into them, which no file has. */
export async function keepMergedNames(client: PoolClient, ids: readonly string[]): Promise<void> {
  const rows = await queryRows<Named & { incoming: OtherName[] | null }>(client)`
    SELECT v.id, i.name, v.other_names AS "otherNames", i.other_names AS incoming
      FROM directory.venue v JOIN incoming i ON i.id = v.id
     WHERE v.id = ANY (${ids}) AND v.other_names @> '[{"merged": true}]'`;
  const kept = rows.map(({ id, name, otherNames, incoming }) => {
    const merged = (otherNames ?? []).filter((each) => each.merged);
    return { id, name, otherNames: otherNamesOf(name, [...(incoming ?? []), ...merged]) };
  });
  await writeNames(client, kept, "incoming");
}

const allNamesOf = (venue: Named | undefined): OtherName[] =>
  venue
    ? [
        { kind: "alternate", name: venue.name, merged: true },
        ...(venue.otherNames ?? []).map((each) => ({ ...each, merged: true as const })),
      ]
    : [];

async function namesOf(client: PoolClient, ids: readonly string[]): Promise<Map<string, Named>> {
  const rows = await queryRows<Named>(client)`
    SELECT id, name, other_names AS "otherNames" FROM directory.venue WHERE id = ANY (${ids})`;
  return new Map(rows.map((row) => [row.id, row]));
}

async function writeNames(
  client: PoolClient,
  venues: readonly Named[],
  table: "directory.venue" | "incoming" = "directory.venue",
): Promise<void> {
  if (venues.length === 0) return;
  const rows = venues.map(({ id, otherNames }) => ({ id, names: otherNames, norm: otherNamesNorm(otherNames) }));
  await execute(client)`
    UPDATE ${rawSql(table)} v SET other_names = n.names, other_names_norm = n.norm
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (id text, names jsonb, norm text) WHERE v.id = n.id`;
}

const isSame = (a: OtherName[] | null, b: OtherName[] | null): boolean => JSON.stringify(a) === JSON.stringify(b);
