-- CreateTable
CREATE TABLE "app"."side_task" (
    "harmonization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" UUID,
    "wanted_at" TIMESTAMPTZ(3),
    "retry_at" TIMESTAMPTZ(3),
    "problem" JSONB,
    "about" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "side_task_pkey" PRIMARY KEY ("harmonization_id","kind")
);

-- CreateTable
CREATE TABLE "app"."bridge_row" (
    "harmonization_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "record_id" TEXT NOT NULL,
    "venue_id" TEXT NOT NULL,
    "own_id" TEXT,
    "now_id" TEXT,
    "now_name" TEXT,
    "outcome" TEXT,

    CONSTRAINT "bridge_row_pkey" PRIMARY KEY ("harmonization_id","number")
);

-- CreateIndex
CREATE INDEX "bridge_row_harmonization_id_outcome_number_idx" ON "app"."bridge_row"("harmonization_id", "outcome", "number");

-- AddForeignKey
ALTER TABLE "app"."side_task" ADD CONSTRAINT "side_task_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."bridge_row" ADD CONSTRAINT "bridge_row_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
