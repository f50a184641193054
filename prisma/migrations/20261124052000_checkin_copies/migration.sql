-- CreateTable
CREATE TABLE "app"."checkin_copy" (
    "account_id" UUID NOT NULL,
    "pass" INTEGER NOT NULL DEFAULT 1,
    "reached" INTEGER DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "complete_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "holder" UUID,
    "held_until" TIMESTAMPTZ(3),

    CONSTRAINT "checkin_copy_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "app"."copied_checkin" (
    "account_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "pass" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(0) NOT NULL,
    "time_zone_offset" INTEGER NOT NULL,
    "shout" TEXT,
    "venue_id" TEXT,
    "venue_name" TEXT,
    "address" TEXT,
    "town" TEXT,
    "category" TEXT,
    "lat" DOUBLE PRECISION,
    "lng" DOUBLE PRECISION,

    CONSTRAINT "copied_checkin_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "app"."checkin_add" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "added_at" TIMESTAMPTZ(3),

    CONSTRAINT "checkin_add_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE INDEX "copied_checkin_account_id_at_id_idx" ON "app"."copied_checkin"("account_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "checkin_add_created_at_idx" ON "app"."checkin_add"("created_at");

-- AddForeignKey
ALTER TABLE "app"."checkin_copy" ADD CONSTRAINT "checkin_copy_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."copied_checkin" ADD CONSTRAINT "copied_checkin_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."checkin_copy"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."checkin_add" ADD CONSTRAINT "checkin_add_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
