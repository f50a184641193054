-- AlterTable
ALTER TABLE "app"."api_call" ADD COLUMN     "makes" UUID NOT NULL DEFAULT gen_random_uuid();
