-- By hand: schema.prisma cannot say WHERE. Reading a file writes no entry for what only matching or a decision fills in; the
-- pending listings are found by the index on status. About ten seconds for a million rows.
CREATE INDEX "listing_venue" ON "app"."listing" ("harmonization_id", "venue_id") WHERE "venue_id" IS NOT NULL;
CREATE INDEX "listing_best" ON "app"."listing" ("harmonization_id", "best_id") WHERE "best_id" IS NOT NULL;
CREATE INDEX "listing_kin" ON "app"."listing" ("harmonization_id", "pattern", "is_clear", "score")
    WHERE "decision" IS NULL AND "pattern" IS NOT NULL;

-- DropIndex
DROP INDEX "app"."listing_harmonization_id_best_id_idx";

-- DropIndex
DROP INDEX "app"."listing_harmonization_id_venue_id_idx";

DROP INDEX "app"."listing_family", "app"."listing_pending";
ALTER INDEX "app"."listing_kin" RENAME TO "listing_family";
