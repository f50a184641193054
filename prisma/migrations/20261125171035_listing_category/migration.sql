-- AlterTable
ALTER TABLE "app"."listing" ADD COLUMN     "category_id" TEXT;

-- AlterTable
ALTER TABLE "app"."harmonization" ADD COLUMN     "again_of" UUID;
