-- AlterTable
ALTER TABLE "directory"."application" ADD COLUMN     "rate_limit" INTEGER,
ADD COLUMN     "web_connect" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "directory"."link" (
    "provider_id" TEXT NOT NULL,
    "linked_id" TEXT NOT NULL,
    "venue_id" TEXT NOT NULL,
    "url" TEXT,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "link_pkey" PRIMARY KEY ("provider_id","linked_id")
);

-- CreateTable: unlogged, and with room to count up in place (by hand)
CREATE UNLOGGED TABLE "directory"."rate_count" (
    "subject" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "rate_count_pkey" PRIMARY KEY ("subject","window_start")
) WITH (fillfactor = 50);

-- CreateTable
CREATE TABLE "directory"."place" (
    "kind" TEXT NOT NULL,
    "name_norm" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "cc" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lng" DOUBLE PRECISION NOT NULL,
    "south" DOUBLE PRECISION NOT NULL,
    "west" DOUBLE PRECISION NOT NULL,
    "north" DOUBLE PRECISION NOT NULL,
    "east" DOUBLE PRECISION NOT NULL,
    "venues" INTEGER NOT NULL,

    CONSTRAINT "place_pkey" PRIMARY KEY ("kind","name_norm","state","cc")
);

-- CreateIndex
CREATE INDEX "link_venue_id_idx" ON "directory"."link"("venue_id");

-- CreateIndex
CREATE INDEX "link_url_idx" ON "directory"."link" USING HASH ("url");

-- CreateIndex
CREATE INDEX "rate_count_window_start_idx" ON "directory"."rate_count"("window_start");

-- CreateIndex
CREATE INDEX "place_name_norm_idx" ON "directory"."place"("name_norm");

-- CreateIndex
CREATE INDEX "place_name_trgm" ON "directory"."place" USING GIN ("name_norm" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "authorization_request_client_id_idx" ON "directory"."authorization_request"("client_id");

-- CreateIndex
CREATE INDEX "checkin_user_id_venue_id_idx" ON "directory"."checkin"("user_id", "venue_id");

-- CreateIndex
CREATE INDEX "venue_url_idx" ON "directory"."venue" USING HASH ("url");

-- AddForeignKey
ALTER TABLE "directory"."link" ADD CONSTRAINT "link_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "directory"."provider"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."link" ADD CONSTRAINT "link_venue_id_fkey" FOREIGN KEY ("venue_id") REFERENCES "directory"."venue"("id") ON DELETE CASCADE ON UPDATE CASCADE;
