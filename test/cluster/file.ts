import type pg from "pg";

/** Returns the lines of a CSV: venues that the directory has, each several times, and `added` places that it does not have. */
export async function makeFile(client: pg.Client, { rows, added }: { rows: number; added: number }): Promise<string[]> {
  const { rows: known } = await client.query<{ name: string; lat: number; lng: number }>(
    `SELECT name, lat, lng FROM directory.venue WHERE name !~ '[",]' ORDER BY id LIMIT $1`,
    [rows - added],
  );
  const old = Array.from({ length: rows - added }, (_, at) => ({ ...known[at % known.length], id: `${at}` }));
  const places = Array.from({ length: added }, (_, at) => ({ ...place(at), id: `new ${at}` }));
  return ["id,name,lat,lng\n", ...[...old, ...places].map(({ id, name, lat, lng }) => `${id},${name},${lat},${lng}\n`)];
}

/** In a grid of the sea, kilometres from each other. */
const place = (at: number) => ({ name: newName(at), lat: -60 + (at % 100) / 20, lng: -150 + Math.floor(at / 100) / 5 });

export const newName = (at: number): string => `Place of the cluster number ${at}`;
