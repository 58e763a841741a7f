-- Who has a workflow open, so that people who work on the same one see each other. Nothing is lost with it.
CREATE UNLOGGED TABLE "visit" (
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "visit_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "visit_workflow_id_idx" ON "visit"("workflow_id");
CREATE INDEX "visit_user_id_idx" ON "visit"("user_id");

ALTER TABLE "visit" ADD CONSTRAINT "visit_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "visit" ADD CONSTRAINT "visit_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
