-- AlterTable
ALTER TABLE "app"."copied_checkin" ADD COLUMN     "editable" BOOLEAN;

-- AlterTable
ALTER TABLE "directory"."checkin" ADD COLUMN     "client_id" TEXT;
