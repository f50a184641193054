-- CreateEnum
CREATE TYPE "app"."api_scope" AS ENUM ('read', 'decide', 'write');

-- CreateTable
CREATE TABLE "app"."api_token" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" "app"."api_scope"[],
    "all_files" BOOLEAN NOT NULL DEFAULT true,
    "list_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE UNLOGGED TABLE "app"."api_use" (
    "account_id" UUID NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "api_use_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "app"."api_call" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_call_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_token_hash_key" ON "app"."api_token"("hash");

-- CreateIndex
CREATE INDEX "api_token_account_id_idx" ON "app"."api_token"("account_id");

-- CreateIndex
CREATE INDEX "api_call_created_at_idx" ON "app"."api_call"("created_at");

-- AddForeignKey
ALTER TABLE "app"."api_token" ADD CONSTRAINT "api_token_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."api_use" ADD CONSTRAINT "api_use_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."api_call" ADD CONSTRAINT "api_call_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
