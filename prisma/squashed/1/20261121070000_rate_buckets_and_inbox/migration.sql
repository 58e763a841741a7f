-- Rate limits are counted by all processes together. Unlogged: a lost bucket is a full one.
CREATE UNLOGGED TABLE "rate_bucket" (
    "name" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "updated_at" TIMESTAMPTZ(6) NOT NULL,
    "revision" BIGINT NOT NULL,
    "leased" DOUBLE PRECISION NOT NULL,
    "leased_until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rate_bucket_pkey" PRIMARY KEY ("name")
);

-- A sender's id stands for one delivery.
ALTER TABLE "webhook_delivery" ADD COLUMN "unique_id" TEXT,
ADD COLUMN "replay_of" TEXT;
DROP INDEX "webhook_delivery_webhook_id_sender_id_idx";
CREATE UNIQUE INDEX "webhook_delivery_webhook_id_unique_id_key" ON "webhook_delivery"("webhook_id", "unique_id");

-- What was not accepted is kept in a small number; this finds what is too much.
CREATE INDEX "webhook_delivery_surplus_idx" ON "webhook_delivery"("webhook_id", "received_at" DESC, "id" DESC) WHERE "verdict" <> 'accepted';
