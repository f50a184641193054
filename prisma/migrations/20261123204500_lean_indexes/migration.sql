-- In the background: by hand, since schema.prisma cannot say WHERE. Reading a file writes no entry for what only matching or a
-- decision fills in. The pending listings are found by the index on status. About ten seconds for a million rows.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_venue" ON "app"."listing" ("harmonization_id", "venue_id")
    WHERE "venue_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_best" ON "app"."listing" ("harmonization_id", "best_id")
    WHERE "best_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_kin" ON "app"."listing" ("harmonization_id", "pattern", "is_clear", "score")
    WHERE "decision" IS NULL AND "pattern" IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS "app"."listing_harmonization_id_best_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "app"."listing_harmonization_id_venue_id_idx";
DROP INDEX CONCURRENTLY IF EXISTS "app"."listing_family";
DROP INDEX CONCURRENTLY IF EXISTS "app"."listing_pending";
