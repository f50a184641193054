-- AlterTable
ALTER TABLE "app"."harmonization" ADD COLUMN     "positions" JSONB;
