-- CreateTable
CREATE TABLE "app"."venue_look" (
    "harmonization_id" UUID NOT NULL,
    "venue_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "wanted_at" TIMESTAMPTZ(3) NOT NULL,
    "looked_at" TIMESTAMPTZ(3),
    "was_name" TEXT,
    "was_lat" DOUBLE PRECISION,
    "was_lng" DOUBLE PRECISION,
    "state" TEXT,
    "now_id" TEXT,
    "name" TEXT,
    "lat" DOUBLE PRECISION,
    "lng" DOUBLE PRECISION,
    "change" TEXT,
    "metres" INTEGER,

    CONSTRAINT "venue_look_pkey" PRIMARY KEY ("harmonization_id","venue_id")
);

-- CreateIndex
CREATE INDEX "venue_look_harmonization_id_change_number_idx" ON "app"."venue_look"("harmonization_id", "change", "number");

-- AddForeignKey
ALTER TABLE "app"."venue_look" ADD CONSTRAINT "venue_look_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
