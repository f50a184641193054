-- AlterTable
ALTER TABLE "directory"."venue" ADD COLUMN     "position_by_address" BOOLEAN;
