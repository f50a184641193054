-- CreateEnum
CREATE TYPE "app"."harmonization_state" AS ENUM ('uploading', 'draft', 'reading', 'matching', 'adding', 'annotating', 'ready', 'cancelled');

-- CreateEnum
CREATE TYPE "app"."pause_reason" AS ENUM ('person', 'connection', 'directory');

-- CreateEnum
CREATE TYPE "app"."listing_status" AS ENUM ('pending', 'asked', 'failed');

-- CreateEnum
CREATE TYPE "app"."listing_decision" AS ENUM ('matched', 'added', 'rejected');

-- CreateEnum
CREATE TYPE "app"."decided_how" AS ENUM ('person', 'family', 'many', 'kept');

-- CreateTable
CREATE TABLE "app"."harmonization" (
    "id" UUID NOT NULL,
    "directory" TEXT NOT NULL,
    "account_id" UUID,
    "name" TEXT NOT NULL,
    "state" "app"."harmonization_state" NOT NULL DEFAULT 'uploading',
    "paused_for" "app"."pause_reason",
    "retry_at" TIMESTAMPTZ(3),
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "size" BIGINT NOT NULL DEFAULT 0,
    "hash" BYTEA,
    "format" JSONB NOT NULL DEFAULT '{}',
    "header" TEXT[],
    "columns" JSONB NOT NULL DEFAULT '{}',
    "previous_id" UUID,
    "accept_from" REAL NOT NULL DEFAULT 0.83,
    "review_from" REAL NOT NULL DEFAULT 0.2,
    "trial" JSONB,
    "listing_count" INTEGER NOT NULL DEFAULT 0,
    "task" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "matched_at" TIMESTAMPTZ(3),

    CONSTRAINT "harmonization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app"."file_part" (
    "harmonization_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "file_part_pkey" PRIMARY KEY ("harmonization_id","part")
);

-- CreateTable
CREATE TABLE "app"."listing" (
    "harmonization_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "cells" TEXT[],
    "own_id" TEXT,
    "print" BYTEA,
    "query" JSONB,
    "status" "app"."listing_status" NOT NULL DEFAULT 'pending',
    "tries" SMALLINT NOT NULL DEFAULT 0,
    "problem" JSONB,
    "score" REAL,
    "is_clear" BOOLEAN NOT NULL DEFAULT false,
    "best_id" TEXT,
    "candidates" JSONB NOT NULL DEFAULT '[]',
    "pattern" TEXT,
    "matched_at" TIMESTAMPTZ(3),
    "decision" "app"."listing_decision",
    "venue_id" TEXT,
    "venue_name" TEXT,
    "decided_how" "app"."decided_how",
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "skipped_at" TIMESTAMPTZ(3),
    "locked_by" UUID,
    "locked_until" TIMESTAMPTZ(3),
    "adding" JSONB,
    "annotated_at" TIMESTAMPTZ(3),
    "annotation_error" TEXT,

    CONSTRAINT "listing_pkey" PRIMARY KEY ("harmonization_id","number")
);

-- CreateTable
CREATE TABLE "app"."decision_step" (
    "id" BIGSERIAL NOT NULL,
    "harmonization_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "before" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "decision_step_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "harmonization_account_id_created_at_idx" ON "app"."harmonization"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "harmonization_previous_id_idx" ON "app"."harmonization"("previous_id");

-- CreateIndex
CREATE INDEX "listing_harmonization_id_status_decision_is_clear_score_idx" ON "app"."listing"("harmonization_id", "status", "decision", "is_clear", "score");

-- CreateIndex
CREATE INDEX "listing_harmonization_id_own_id_idx" ON "app"."listing"("harmonization_id", "own_id");

-- CreateIndex
CREATE INDEX "listing_harmonization_id_venue_id_idx" ON "app"."listing"("harmonization_id", "venue_id");

-- CreateIndex
CREATE INDEX "listing_harmonization_id_best_id_idx" ON "app"."listing"("harmonization_id", "best_id");

-- CreateIndex
CREATE INDEX "decision_step_harmonization_id_account_id_id_idx" ON "app"."decision_step"("harmonization_id", "account_id", "id");

-- CreateIndex
CREATE INDEX "decision_step_group_id_idx" ON "app"."decision_step"("group_id");

-- AddForeignKey
ALTER TABLE "app"."harmonization" ADD CONSTRAINT "harmonization_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."harmonization" ADD CONSTRAINT "harmonization_previous_id_fkey" FOREIGN KEY ("previous_id") REFERENCES "app"."harmonization"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."file_part" ADD CONSTRAINT "file_part_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."listing" ADD CONSTRAINT "listing_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."decision_step" ADD CONSTRAINT "decision_step_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand: schema.prisma cannot say WHERE. What is still to be asked, in the order of the file.
CREATE INDEX "listing_pending" ON "app"."listing" ("harmonization_id", "number") WHERE "status" = 'pending';
