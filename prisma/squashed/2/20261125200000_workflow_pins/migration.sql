-- Outputs of nodes that runs from the editor take in place of running the nodes.
CREATE TABLE "workflow_pin" (
    "workflow_id" TEXT NOT NULL,
    "node_id" TEXT NOT NULL,
    "output" JSON NOT NULL,
    "size" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workflow_pin_pkey" PRIMARY KEY ("workflow_id","node_id")
);

ALTER TABLE "workflow_pin" ADD CONSTRAINT "workflow_pin_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
