-- AlterTable
ALTER TABLE "app"."harmonization" ALTER COLUMN "accept_from" SET DEFAULT 0.77;
