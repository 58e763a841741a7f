-- Where a workflow was imported from, with the parameters that its nodes had there. Secrets in them are masked before they are stored.
CREATE TABLE "workflow_import" (
  "workflow_id" TEXT NOT NULL,
  "source" TEXT NOT NULL,
  "url" TEXT,
  "source_id" TEXT,
  "was_active" BOOLEAN NOT NULL DEFAULT false,
  "nodes" JSON NOT NULL,
  "report" JSON NOT NULL,
  "imported_by" TEXT,
  "imported_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "workflow_import_pkey" PRIMARY KEY ("workflow_id"),
  CONSTRAINT "workflow_import_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
