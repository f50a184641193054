-- Adds that were begun: few, and looked for first thing in every task that adds.
CREATE INDEX "listing_adding" ON "app"."listing" ("harmonization_id", "number") WHERE "adding" IS NOT NULL;

-- Listings that were put off, for the queue of them and its count.
CREATE INDEX "listing_skipped" ON "app"."listing" ("harmonization_id", "skipped_at", "number") WHERE "skipped_at" IS NOT NULL AND "decision" IS NULL;

-- The rows that differ in the same way.
CREATE INDEX "listing_pattern" ON "app"."listing" ("harmonization_id", "pattern") WHERE "decision" IS NULL;
