-- CreateTable
CREATE TABLE "app"."venue_add" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "form_key" TEXT NOT NULL,
    "adding" JSONB,
    "venue_id" TEXT,
    "venue_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "venue_add_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE INDEX "venue_add_created_at_idx" ON "app"."venue_add"("created_at");

-- AddForeignKey
ALTER TABLE "app"."venue_add" ADD CONSTRAINT "venue_add_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
