-- CreateTable
CREATE TABLE "directory"."street" (
    "cell" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "metres" INTEGER NOT NULL,
    "line" TEXT NOT NULL,

    CONSTRAINT "street_pkey" PRIMARY KEY ("cell","id")
);

-- CreateTable
CREATE TABLE "directory"."area" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "rings" TEXT[],
    "credit" TEXT NOT NULL,
    "south" DOUBLE PRECISION NOT NULL,
    "west" DOUBLE PRECISION NOT NULL,
    "north" DOUBLE PRECISION NOT NULL,
    "east" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "area_pkey" PRIMARY KEY ("id")
);
