-- CreateEnum
CREATE TYPE "app"."webhook_event" AS ENUM ('finished', 'failed', 'review', 'test');

-- CreateTable
CREATE TABLE "app"."webhook" (
    "list_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("list_id")
);

-- CreateTable
CREATE TABLE "app"."webhook_delivery" (
    "id" UUID NOT NULL,
    "list_id" UUID NOT NULL,
    "harmonization_id" UUID NOT NULL,
    "event" "app"."webhook_event" NOT NULL,
    "about" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "body" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "tried_at" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "answered" INTEGER,
    "problem" TEXT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_account_id_idx" ON "app"."webhook"("account_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_list_id_created_at_idx" ON "app"."webhook_delivery"("list_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_harmonization_id_idx" ON "app"."webhook_delivery"("harmonization_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_next_at_idx" ON "app"."webhook_delivery"("next_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_created_at_idx" ON "app"."webhook_delivery"("created_at");

-- AddForeignKey
ALTER TABLE "app"."webhook" ADD CONSTRAINT "webhook_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "app"."list"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."webhook" ADD CONSTRAINT "webhook_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "app"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "app"."webhook"("list_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app"."webhook_delivery" ADD CONSTRAINT "webhook_delivery_harmonization_id_fkey" FOREIGN KEY ("harmonization_id") REFERENCES "app"."harmonization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What becomes of a file is recorded with it, whichever statement does it, once, and only for a list that has a webhook. Work that stands
-- still for the same reason again and again is told once a day.
CREATE FUNCTION app.note_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO app.webhook_delivery (id, list_id, harmonization_id, event, about, next_at)
  SELECT gen_random_uuid(), w.list_id, NEW.id, e.event::app.webhook_event, e.about, now()
    FROM app.webhook w CROSS JOIN LATERAL (
      SELECT 'finished' AS event, 'match' AS about WHERE NEW.state = 'ready' AND OLD.state IN ('reading', 'matching')
      UNION ALL SELECT 'review', 'match' WHERE NEW.state = 'ready' AND OLD.state IN ('reading', 'matching')
      UNION ALL SELECT CASE WHEN NEW.task ? 'problem' THEN 'failed' ELSE 'finished' END, NEW.task->>'kind'
       WHERE NEW.state = 'ready' AND OLD.state IN ('adding', 'annotating', 'undoing')
      UNION ALL SELECT 'failed', 'read' WHERE NEW.state = 'draft' AND OLD.state = 'reading' AND NEW.trial ? 'error'
      UNION ALL SELECT 'failed', NEW.paused_for::text WHERE NEW.paused_for <> 'person' AND OLD.paused_for IS DISTINCT FROM NEW.paused_for
         AND NOT EXISTS (SELECT FROM app.webhook_delivery d WHERE d.harmonization_id = NEW.id AND d.event = 'failed'
                          AND d.about = NEW.paused_for::text AND d.created_at > now() - interval '1 day')
    ) e
   WHERE w.list_id = NEW.list_id;
  RETURN NULL;
END $$;

CREATE TRIGGER webhook_events AFTER UPDATE OF state, paused_for ON app.harmonization FOR EACH ROW
  WHEN (OLD.state <> NEW.state OR OLD.paused_for IS DISTINCT FROM NEW.paused_for) EXECUTE FUNCTION app.note_webhook_events();
