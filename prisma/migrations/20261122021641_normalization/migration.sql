-- CreateTable
CREATE TABLE "directory"."normalization" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version" INTEGER NOT NULL,
    "target" INTEGER,
    "written_to" TEXT,

    CONSTRAINT "normalization_pkey" PRIMARY KEY ("id")
);

-- What is stored so far was written with the first
INSERT INTO "directory"."normalization" ("version") VALUES (1);
