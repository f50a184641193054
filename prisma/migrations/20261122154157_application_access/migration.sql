-- CreateEnum
CREATE TYPE "directory"."application_access" AS ENUM ('stopped', 'reading', 'enabled');

-- AlterEnum
ALTER TYPE "app"."pause_reason" ADD VALUE 'application';

-- AlterTable
ALTER TABLE "directory"."application" ADD COLUMN     "access" "directory"."application_access" NOT NULL DEFAULT 'enabled',
ADD COLUMN     "requested_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "directory"."access_event" (
    "id" BIGSERIAL NOT NULL,
    "client_id" TEXT NOT NULL,
    "actor_id" TEXT,
    "access" "directory"."application_access",
    "why" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "access_event_client_id_id_idx" ON "directory"."access_event"("client_id", "id");

-- AddForeignKey
ALTER TABLE "directory"."access_event" ADD CONSTRAINT "access_event_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "directory"."application"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;
