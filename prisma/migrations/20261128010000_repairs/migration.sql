-- AlterTable
ALTER TABLE "app"."harmonization" ADD COLUMN     "repairs" JSONB NOT NULL DEFAULT '[]';
