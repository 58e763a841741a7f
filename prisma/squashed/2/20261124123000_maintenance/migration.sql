-- Maintenance: at most one row while the service refuses changes.
CREATE TABLE "maintenance" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "reason" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "maintenance_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "maintenance_id_check" CHECK ("id")
);

-- Deliveries that were accepted meanwhile. Without foreign keys: rows are forwarded to another database before the rows they name are.
CREATE TABLE "held_delivery" (
    "execution_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "sender_id" TEXT,
    "submission" JSON NOT NULL,
    "input" JSON NOT NULL,
    "bytes" INTEGER NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "held_delivery_pkey" PRIMARY KEY ("execution_id")
);

CREATE UNIQUE INDEX "held_delivery_webhook_id_sender_id_key" ON "held_delivery"("webhook_id", "sender_id");
CREATE INDEX "held_delivery_workspace_id_idx" ON "held_delivery"("workspace_id");
