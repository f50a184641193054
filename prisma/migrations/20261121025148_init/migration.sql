-- By hand: what schema.prisma cannot say stands here and at the end.
-- Trusted since PostgreSQL 13: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "app";

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "directory";

-- CreateEnum
CREATE TYPE "app"."account_role" AS ENUM ('member', 'admin');

-- CreateEnum
CREATE TYPE "directory"."redirect_match" AS ENUM ('exact', 'path');

-- CreateTable
CREATE TABLE "app"."account" (
    "id" UUID NOT NULL,
    "directory" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "handle" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "role" "app"."account_role" NOT NULL DEFAULT 'member',
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_login_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app"."connection" (
    "account_id" UUID NOT NULL,
    "token" BYTEA NOT NULL,
    "broken_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "app"."login_attempt" (
    "state_hash" BYTEA NOT NULL,
    "binding_hash" BYTEA NOT NULL,
    "next" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_attempt_pkey" PRIMARY KEY ("state_hash")
);

-- CreateTable
CREATE TABLE "app"."session" (
    "id_hash" BYTEA NOT NULL,
    "account_id" UUID,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id_hash")
);

-- CreateTable
CREATE TABLE "app"."client_credential" (
    "id" UUID NOT NULL,
    "directory" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."user" (
    "id" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "email" TEXT,
    "home_city" TEXT,
    "password_hash" TEXT NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."session" (
    "id_hash" BYTEA NOT NULL,
    "user_id" TEXT,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "session_pkey" PRIMARY KEY ("id_hash")
);

-- CreateTable
CREATE TABLE "directory"."application" (
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "redirect_match" "directory"."redirect_match" NOT NULL DEFAULT 'exact',
    "token_flow" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "application_pkey" PRIMARY KEY ("client_id")
);

-- CreateTable
CREATE TABLE "directory"."application_secret" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "application_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."authorization_request" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "response_type" TEXT NOT NULL,
    "state" TEXT,
    "code_challenge" TEXT,
    "display" TEXT,
    "always_prompt" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."authorization_code" (
    "hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_code_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "directory"."authorization" (
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "token_lookup" BYTEA,
    "token_sealed" BYTEA,
    "token_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_pkey" PRIMARY KEY ("user_id","client_id")
);

-- CreateTable
CREATE TABLE "directory"."provider" (
    "id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."category" (
    "id" TEXT NOT NULL,
    "parent_id" TEXT,
    "name" TEXT NOT NULL,
    "plural_name" TEXT NOT NULL,
    "short_name" TEXT NOT NULL,
    "icon" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "category_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."venue" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_norm" TEXT NOT NULL,
    "lat" DOUBLE PRECISION NOT NULL,
    "lng" DOUBLE PRECISION NOT NULL,
    "point" point NOT NULL,
    "address" TEXT,
    "cross_street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "zip" TEXT,
    "cc" TEXT,
    "phone" TEXT,
    "phone_norm" TEXT,
    "twitter" TEXT,
    "url" TEXT,
    "description" TEXT,
    "category_id" TEXT,
    "creator_id" TEXT,
    "client_id" TEXT,
    "checkins_count" INTEGER NOT NULL DEFAULT 0,
    "users_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "venue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."checkin" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "venue_id" TEXT NOT NULL,
    "shout" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "time_zone_offset" INTEGER NOT NULL,

    CONSTRAINT "checkin_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."idempotency_key" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "params_hash" BYTEA NOT NULL,
    "body" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "directory"."setup_step" (
    "name" TEXT NOT NULL,
    "done_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setup_step_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_directory_external_id_key" ON "app"."account"("directory", "external_id");

-- CreateIndex
CREATE INDEX "login_attempt_expires_at_idx" ON "app"."login_attempt"("expires_at");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "app"."session"("account_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "app"."session"("expires_at");

-- CreateIndex
CREATE INDEX "client_credential_directory_created_at_idx" ON "app"."client_credential"("directory", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "user_handle_key" ON "directory"."user"("handle");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "directory"."session"("user_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "directory"."session"("expires_at");

-- CreateIndex
CREATE INDEX "application_owner_id_idx" ON "directory"."application"("owner_id");

-- CreateIndex
CREATE INDEX "application_secret_client_id_idx" ON "directory"."application_secret"("client_id");

-- CreateIndex
CREATE INDEX "authorization_request_expires_at_idx" ON "directory"."authorization_request"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_code_expires_at_idx" ON "directory"."authorization_code"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_code_user_id_client_id_idx" ON "directory"."authorization_code"("user_id", "client_id");

-- CreateIndex
CREATE UNIQUE INDEX "authorization_token_lookup_key" ON "directory"."authorization"("token_lookup");

-- CreateIndex
CREATE INDEX "authorization_client_id_idx" ON "directory"."authorization"("client_id");

-- CreateIndex
CREATE INDEX "provider_client_id_idx" ON "directory"."provider"("client_id");

-- CreateIndex
CREATE INDEX "category_parent_id_idx" ON "directory"."category"("parent_id");

-- CreateIndex
CREATE INDEX "venue_point_name" ON "directory"."venue" USING GIST ("point", "name_norm" gist_trgm_ops);

-- CreateIndex
CREATE INDEX "venue_category_id_idx" ON "directory"."venue"("category_id");

-- CreateIndex
CREATE INDEX "venue_phone_norm_idx" ON "directory"."venue"("phone_norm");

-- CreateIndex
CREATE INDEX "checkin_user_id_created_at_id_idx" ON "directory"."checkin"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "checkin_venue_id_idx" ON "directory"."checkin"("venue_id");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "directory"."idempotency_key"("created_at");

-- AddForeignKey
ALTER TABLE "app"."connection" ADD CONSTRAINT "connection_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "directory"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."application" ADD CONSTRAINT "application_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "directory"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."application_secret" ADD CONSTRAINT "application_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "directory"."application"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."authorization_request" ADD CONSTRAINT "authorization_request_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "directory"."application"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."authorization_code" ADD CONSTRAINT "authorization_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "directory"."application"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."authorization_code" ADD CONSTRAINT "authorization_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "directory"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."authorization" ADD CONSTRAINT "authorization_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "directory"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."authorization" ADD CONSTRAINT "authorization_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "directory"."application"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."provider" ADD CONSTRAINT "provider_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "directory"."application"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."category" ADD CONSTRAINT "category_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "directory"."category"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."venue" ADD CONSTRAINT "venue_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "directory"."category"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."checkin" ADD CONSTRAINT "checkin_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "directory"."user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory"."checkin" ADD CONSTRAINT "checkin_venue_id_fkey" FOREIGN KEY ("venue_id") REFERENCES "directory"."venue"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand from here on. Each of these would otherwise be a silent error of the program.

-- A path on our own host, never `//elsewhere` nor `/\elsewhere`: it becomes a Location header.
ALTER TABLE "app"."login_attempt" ADD CONSTRAINT "login_attempt_next_local" CHECK ("next" ~ '^/([^/\\]|$)');

ALTER TABLE "directory"."user" ADD CONSTRAINT "user_handle_lower" CHECK ("handle" = lower("handle"));

ALTER TABLE "directory"."application" ADD CONSTRAINT "application_redirect_uris_some" CHECK (coalesce(cardinality("redirect_uris"), 0) > 0);

ALTER TABLE "directory"."authorization_request" ADD CONSTRAINT "authorization_request_response_type" CHECK ("response_type" IN ('code', 'token'));

-- A token is there whole or not at all.
ALTER TABLE "directory"."authorization" ADD CONSTRAINT "authorization_token_whole" CHECK (num_nulls("token_lookup", "token_sealed", "token_at") IN (0, 3));

ALTER TABLE "directory"."venue"
    ADD CONSTRAINT "venue_name" CHECK ("name" <> ''),
    ADD CONSTRAINT "venue_lat" CHECK ("lat" BETWEEN -90 AND 90),
    ADD CONSTRAINT "venue_lng" CHECK ("lng" BETWEEN -180 AND 180),
    ADD CONSTRAINT "venue_description" CHECK (char_length("description") <= 300);

-- Two rotations at once cannot both leave a current secret: the second waits and then fails.
CREATE UNIQUE INDEX "application_secret_current" ON "directory"."application_secret"("client_id") WHERE "expires_at" IS NULL;
