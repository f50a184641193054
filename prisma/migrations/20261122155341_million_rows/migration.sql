-- Each is done in a moment, however many listings there are: none of them touches their table.

-- AlterEnum
ALTER TYPE "app"."harmonization_state" ADD VALUE 'deleting';

-- AlterTable
ALTER TABLE "app"."harmonization" ADD COLUMN     "is_retrying" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "app"."conflict_search" (
    "harmonization_id" UUID NOT NULL,
    "wanted_at" TIMESTAMPTZ(3),
    "done" INTEGER NOT NULL DEFAULT 0,
    "found_at" TIMESTAMPTZ(3),
    "basis" TEXT,
    "findings" JSONB,

    CONSTRAINT "conflict_search_pkey" PRIMARY KEY ("harmonization_id")
);

-- AddForeignKey
ALTER TABLE "app"."conflict_search" ADD CONSTRAINT "conflict_search_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
