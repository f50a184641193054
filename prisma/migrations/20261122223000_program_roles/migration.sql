-- By hand: the web app and the directory each connect with a role that owns no table (src/db/roles.ts). What only an owner may
-- do, and they do while they run, stands here as functions that run as the owner.

-- The queue's own, which pg-boss fills (docs/decisions/0005).
CREATE SCHEMA IF NOT EXISTS "pgboss";

CREATE FUNCTION "app"."analyze_listings"() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ BEGIN ANALYZE app.listing; END $$;

CREATE FUNCTION "directory"."analyze_places"() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ BEGIN ANALYZE directory.place; END $$;

CREATE FUNCTION "directory"."refresh_name_words"() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ BEGIN REFRESH MATERIALIZED VIEW CONCURRENTLY directory.name_word; END $$;
