-- CreateEnum
CREATE TYPE "app"."credential_origin" AS ENUM ('setup', 'rotated', 'pasted', 'command');

-- CreateEnum
CREATE TYPE "app"."state_handling" AS ENUM ('echoes', 'drops');

-- DropIndex
DROP INDEX "app"."client_credential_directory_created_at_idx";

-- AlterTable
ALTER TABLE "app"."client_credential" ADD COLUMN     "account_id" UUID,
ADD COLUMN     "ended_at" TIMESTAMPTZ(3),
ADD COLUMN     "ends_early" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "origin" "app"."credential_origin" NOT NULL DEFAULT 'setup',
ADD COLUMN     "switched_on_at" TIMESTAMPTZ(3),
ALTER COLUMN "secret" DROP NOT NULL;

-- AlterTable
ALTER TABLE "app"."login_attempt" ADD COLUMN     "confirms" UUID,
ADD COLUMN     "directory" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "display" TEXT;

-- AlterTable
ALTER TABLE "directory"."application" ADD COLUMN     "rotates_itself" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "directory"."authorization_code" ADD COLUMN     "auth_time" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "directory"."authorization_request" ADD COLUMN     "fresh_login" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "app"."known_directory" (
    "auth_url" TEXT NOT NULL,
    "state" "app"."state_handling" NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "known_directory_pkey" PRIMARY KEY ("auth_url")
);

-- CreateTable
CREATE TABLE "app"."instance" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "roles" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app"."vault_key" (
    "id" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vault_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory"."vault_key" (
    "id" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vault_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_directory_last_login_at_idx" ON "app"."account"("directory", "last_login_at");

-- CreateIndex
CREATE INDEX "instance_seen_at_idx" ON "app"."instance"("seen_at");

-- CreateIndex
CREATE INDEX "client_credential_directory_switched_on_at_idx" ON "app"."client_credential"("directory", "switched_on_at");

-- CreateIndex
CREATE INDEX "login_attempt_binding_hash_idx" ON "app"."login_attempt"("binding_hash");

-- AddForeignKey
ALTER TABLE "app"."client_credential" ADD CONSTRAINT "client_credential_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What is stored so far is in use
UPDATE "app"."client_credential" SET "switched_on_at" = "created_at";

-- A sealed value begins with the id of its key
INSERT INTO "app"."vault_key" ("id")
SELECT substring("token" FROM 1 FOR 4) FROM "app"."connection"
UNION SELECT substring("secret" FROM 1 FOR 4) FROM "app"."client_credential";

INSERT INTO "directory"."vault_key" ("id")
SELECT DISTINCT substring("token_sealed" FROM 1 FOR 4) FROM "directory"."authorization" WHERE "token_sealed" IS NOT NULL;
