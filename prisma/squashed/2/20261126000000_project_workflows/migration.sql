-- Which workflow of a project a workflow is, and the version that the last push left.
CREATE TABLE "project_workflow" (
    "workflow_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "pushed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_workflow_pkey" PRIMARY KEY ("workflow_id")
);

CREATE UNIQUE INDEX "project_workflow_workspace_id_project_key_key" ON "project_workflow"("workspace_id", "project", "key");

ALTER TABLE "project_workflow" ADD CONSTRAINT "project_workflow_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
