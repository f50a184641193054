-- CreateEnum
CREATE TYPE "directory"."venue_change_kind" AS ENUM ('deleted', 'merged');

-- AlterEnum
ALTER TYPE "app"."harmonization_state" ADD VALUE 'undoing';

-- CreateTable
CREATE TABLE "directory"."venue_change" (
    "id" BIGSERIAL NOT NULL,
    "venue_id" TEXT NOT NULL,
    "kind" "directory"."venue_change_kind" NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "before" JSONB NOT NULL,
    "into_id" TEXT,
    "reverted_at" TIMESTAMPTZ(3),
    "reverted_by" TEXT,

    CONSTRAINT "venue_change_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "venue_change_venue_id_idx" ON "directory"."venue_change"("venue_id");

-- CreateIndex
CREATE INDEX "venue_change_into_id_idx" ON "directory"."venue_change"("into_id");
