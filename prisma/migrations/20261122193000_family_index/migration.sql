-- The rows that differ in the same way and are to be reviewed, the first of them without reading the rest. About five seconds
-- for a million rows.
CREATE INDEX "listing_family" ON "app"."listing" ("harmonization_id", "pattern", "is_clear", "score") WHERE "decision" IS NULL;
DROP INDEX "app"."listing_pattern";
