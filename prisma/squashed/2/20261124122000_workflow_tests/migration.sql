-- Tests of workflows: an input, what nodes give in place of running, and what is expected.
CREATE TABLE "workflow_test" (
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "input" JSON NOT NULL,
    "mocks" JSON NOT NULL,
    "expectations" JSON NOT NULL,
    "last_result" JSON,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workflow_test_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "workflow_test_workflow_id_created_at_id_idx" ON "workflow_test"("workflow_id", "created_at" DESC, "id" DESC);

ALTER TABLE "workflow_test" ADD CONSTRAINT "workflow_test_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
