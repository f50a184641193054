-- AlterEnum
ALTER TYPE "directory"."venue_change_kind" ADD VALUE 'edited';

-- AlterTable
ALTER TABLE "directory"."venue_change" ADD COLUMN     "after" JSONB;
