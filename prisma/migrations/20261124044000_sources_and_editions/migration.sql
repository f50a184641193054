-- AlterTable
ALTER TABLE "directory"."venue" ADD COLUMN "closed_at" TIMESTAMPTZ(3);

ALTER TABLE "directory"."venue" ADD COLUMN "source_id" SMALLINT;

-- CreateTable
CREATE TABLE "directory"."source" (
    "id" SMALLSERIAL NOT NULL,
    "release" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "attribution" TEXT NOT NULL,
    "licence" TEXT,
    "url" TEXT,
    "edition" TEXT,
    "imported_at" TIMESTAMPTZ(3),

    CONSTRAINT "source_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."moved_venue" (
    "id" TEXT NOT NULL,
    "venue_id" TEXT NOT NULL,
    "moved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "moved_venue_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "source_release_dataset_key" ON "directory"."source"("release", "dataset");

-- CreateIndex
CREATE INDEX "moved_venue_venue_id_idx" ON "directory"."moved_venue"("venue_id");
