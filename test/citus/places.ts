import type { Pool } from "pg";

export interface Place {
  id: string;
  name: string;
  lat: number;
  lng: number;
  /** Of the node that has its venue, with those of all tiles that a match there asks. */
  port: number;
}

/** Returns a venue of each node, far enough from the border of its tile that a match asks no other. */
export async function placesOfNodes(pool: Pool): Promise<Place[]> {
  const { rows: inside } = await pool.query(
    `SELECT id, name, lat, lng, tile FROM directory.venue
      WHERE tile = directory.venue_tile(point - point(0.03, 0.03)) AND tile = directory.venue_tile(point + point(0.03, 0.03))
      ORDER BY id`,
  );
  const { rows } = await pool.query<Place>(
    `SELECT DISTINCT ON (nodeport) id, name, lat, lng, nodeport AS port
       FROM json_to_recordset($1) AS v (id text, name text, lat float8, lng float8, tile int)
       JOIN pg_dist_shard_placement ON shardid = get_shard_id_for_distribution_column('directory.venue', tile)`,
    [JSON.stringify(inside)],
  );
  return rows;
}
