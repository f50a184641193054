-- CreateTable
CREATE TABLE "app"."gone_venue" (
    "directory" TEXT NOT NULL,
    "venue_id" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "gone_venue_pkey" PRIMARY KEY ("directory","venue_id")
);
