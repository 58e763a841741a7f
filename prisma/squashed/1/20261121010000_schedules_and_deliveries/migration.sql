-- AlterTable
ALTER TABLE "webhook" ADD COLUMN "old_secret" TEXT,
ADD COLUMN "old_secret_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "verdict" TEXT NOT NULL,
    "reason" TEXT,
    "sender_id" TEXT,
    "execution_id" TEXT,
    "ip_address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    "body" JSON,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "schedule" (
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "input" JSON NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "overlap" TEXT NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_execution_id" TEXT,
    "last_error" TEXT,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "schedule_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhook_delivery_webhook_id_received_at_id_idx" ON "webhook_delivery"("webhook_id", "received_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_delivery_webhook_id_sender_id_idx" ON "webhook_delivery"("webhook_id", "sender_id");

-- CreateIndex
CREATE INDEX "webhook_delivery_received_at_idx" ON "webhook_delivery"("received_at");

-- CreateIndex
CREATE INDEX "schedule_workflow_id_idx" ON "schedule"("workflow_id");

-- CreateIndex
CREATE INDEX "schedule_enabled_next_run_at_idx" ON "schedule"("enabled", "next_run_at");

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
