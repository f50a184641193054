-- AlterTable
ALTER TABLE "app"."bridge_row" ADD COLUMN     "now_credit" TEXT;

-- AlterTable
ALTER TABLE "app"."copied_checkin" ADD COLUMN     "credit" TEXT;

-- AlterTable
ALTER TABLE "app"."venue_look" ADD COLUMN     "credit" TEXT;
