-- Connectors of workspaces, made from OpenAPI documents.
CREATE TABLE "connector" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "frame" JSON NOT NULL,
    "source_url" TEXT,
    "source_hash" TEXT NOT NULL,
    "document_version" TEXT NOT NULL DEFAULT '',
    "selection" JSON,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "connector_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "connector_workspace_id_created_at_id_idx" ON "connector"("workspace_id", "created_at" DESC, "id" DESC);
ALTER TABLE "connector" ADD CONSTRAINT "connector_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Their operations.
CREATE TABLE "connector_operation" (
    "connector_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "help" TEXT NOT NULL DEFAULT '',
    "grouping" TEXT,
    "is_removed" BOOLEAN NOT NULL DEFAULT false,
    "record" JSON NOT NULL,
    CONSTRAINT "connector_operation_pkey" PRIMARY KEY ("connector_id", "operation")
);
ALTER TABLE "connector_operation" ADD CONSTRAINT "connector_operation_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connector"("id") ON DELETE CASCADE ON UPDATE CASCADE;
