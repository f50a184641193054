-- Five migrations were edited after they had landed (test/db/migrations/landed.ts), so databases of several shapes exist. This
-- migration and the next bring them to one. In a database of the newest shape they change nothing.
ALTER TABLE "directory"."idempotency_key" DROP COLUMN IF EXISTS "status";
ALTER TABLE "app"."client_credential" ADD COLUMN IF NOT EXISTS "ends_early" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "app"."listing"
    ALTER COLUMN "cells" SET STATISTICS 0,
    ALTER COLUMN "query" SET STATISTICS 0,
    ALTER COLUMN "candidates" SET STATISTICS 0;
