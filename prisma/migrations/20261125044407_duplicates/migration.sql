-- CreateTable
CREATE TABLE "directory"."duplicate_run" (
    "id" SERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "venues" INTEGER NOT NULL DEFAULT 0,
    "passed" INTEGER NOT NULL DEFAULT 0,
    "compared" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "duplicate_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."duplicate_portion" (
    "key" TEXT NOT NULL,
    "run_id" INTEGER NOT NULL,
    "hashes" BIGINT[],

    CONSTRAINT "duplicate_portion_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "directory"."duplicate_pair" (
    "a_id" TEXT NOT NULL,
    "b_id" TEXT NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "evidence" JSONB NOT NULL,
    "stays_id" TEXT,
    "family" TEXT,
    "is_grouped" BOOLEAN NOT NULL DEFAULT false,
    "different_at" TIMESTAMPTZ(3),
    "different_by" TEXT,

    CONSTRAINT "duplicate_pair_pkey" PRIMARY KEY ("a_id","b_id")
);

-- CreateTable
CREATE TABLE "directory"."duplicate_merge" (
    "id" SERIAL NOT NULL,
    "user_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "change_ids" BIGINT[],
    "reverted_at" TIMESTAMPTZ(3),
    "reverted_by" TEXT,

    CONSTRAINT "duplicate_merge_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "duplicate_pair_b_id_idx" ON "directory"."duplicate_pair"("b_id");

-- CreateIndex
CREATE INDEX "duplicate_pair_stays_id_idx" ON "directory"."duplicate_pair"("stays_id");
