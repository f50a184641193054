-- AlterTable
ALTER TABLE "app"."instance" ADD COLUMN     "problems" TEXT[] DEFAULT ARRAY[]::TEXT[];
