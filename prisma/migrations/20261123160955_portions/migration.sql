-- AlterTable
ALTER TABLE "app"."listing" ADD COLUMN     "place" BIGINT;

-- CreateTable
CREATE TABLE "app"."portion" (
    "harmonization_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "listings" INTEGER[],
    "tries" SMALLINT NOT NULL DEFAULT 0,

    CONSTRAINT "portion_pkey" PRIMARY KEY ("harmonization_id","number")
);

-- AddForeignKey
ALTER TABLE "app"."portion" ADD CONSTRAINT "portion_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- No query searches by these. Gathering their statistics took longer than reading 20,000 rows.
ALTER TABLE "app"."listing"
    ALTER COLUMN "cells" SET STATISTICS 0,
    ALTER COLUMN "query" SET STATISTICS 0,
    ALTER COLUMN "candidates" SET STATISTICS 0;
