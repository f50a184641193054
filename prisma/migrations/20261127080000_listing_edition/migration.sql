-- AlterTable
ALTER TABLE "app"."listing" ADD COLUMN     "edition" JSONB;
