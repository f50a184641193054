-- In the background: by hand, since schema.prisma cannot say WHERE. The venue comes first, so that those who hold it are found in all
-- files. The two take the place, and as much room, of those by file.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_venue_held" ON "app"."listing" ("venue_id", "harmonization_id")
    WHERE "venue_id" IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_best_candidate" ON "app"."listing" ("best_id", "harmonization_id")
    WHERE "best_id" IS NOT NULL;

DROP INDEX CONCURRENTLY IF EXISTS "app"."listing_venue";
DROP INDEX CONCURRENTLY IF EXISTS "app"."listing_best";
