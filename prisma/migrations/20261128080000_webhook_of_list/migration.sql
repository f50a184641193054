-- DropForeignKey
ALTER TABLE "app"."webhook" DROP CONSTRAINT "webhook_account_id_fkey";

-- AlterTable
ALTER TABLE "app"."webhook" ALTER COLUMN "account_id" DROP NOT NULL;

-- AddForeignKey
ALTER TABLE "app"."webhook" ADD CONSTRAINT "webhook_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE SET NULL ON UPDATE CASCADE;
