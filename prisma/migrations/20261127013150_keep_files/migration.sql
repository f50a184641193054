-- AlterTable
ALTER TABLE "app"."harmonization" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "used_at" TIMESTAMPTZ(3);
