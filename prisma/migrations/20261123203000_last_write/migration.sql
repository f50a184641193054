-- Of seconds' interest, so a crash may empty it: then no replica is behind that was not behind before.
CREATE UNLOGGED TABLE "directory"."last_write" (
    "subject" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "last_write_pkey" PRIMARY KEY ("subject")
);

CREATE INDEX "last_write_at_idx" ON "directory"."last_write"("at");
