-- What `samespot database distribute` distributes the venues by (src/directory/venues/tiles.ts). On one server nothing reads it,
-- so the venues that the former release has stored may be without; distribute fills it in.
ALTER TABLE "directory"."venue" ADD COLUMN "tile" INTEGER;

CREATE FUNCTION "directory"."venue_tile"(point) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT floor(floor($1[0] * 128) / 24)::int * 8192 + floor(floor($1[1] * 128) / 24)::int $$;

-- When PostgreSQL has last analysed the venues; distribute makes it ask the other servers.
CREATE FUNCTION "directory"."venues_analyzed_at"() RETURNS TIMESTAMPTZ
    LANGUAGE sql STABLE
    AS $$ SELECT greatest(last_analyze, last_autoanalyze) FROM pg_stat_user_tables
           WHERE relid = 'directory.venue'::regclass $$;
