-- CreateEnum
CREATE TYPE "directory"."venue_proposal_state" AS ENUM ('open', 'accepted', 'declined');

-- CreateTable
CREATE TABLE "directory"."venue_proposal" (
    "id" BIGSERIAL NOT NULL,
    "venue_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wanted" JSONB NOT NULL,
    "was" JSONB NOT NULL,
    "into_id" TEXT,
    "comment" TEXT,
    "key" TEXT NOT NULL,
    "state" "directory"."venue_proposal_state" NOT NULL DEFAULT 'open',
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,
    "answer" TEXT,
    "change_id" BIGINT,

    CONSTRAINT "venue_proposal_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "venue_proposal_state_id_idx" ON "directory"."venue_proposal"("state", "id");

-- CreateIndex
CREATE INDEX "venue_proposal_user_id_id_idx" ON "directory"."venue_proposal"("user_id", "id");

-- CreateIndex
CREATE INDEX "venue_proposal_key_idx" ON "directory"."venue_proposal"("key");

-- CreateIndex
CREATE INDEX "venue_proposal_change_id_idx" ON "directory"."venue_proposal"("change_id");
