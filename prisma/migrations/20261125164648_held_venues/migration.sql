-- AlterTable
ALTER TABLE "directory"."venue_proposal" ADD COLUMN     "is_new" BOOLEAN;
