-- Changes of one person that cannot be saved as a version because their definition has errors.
CREATE TABLE "invalid_draft" (
    "workflow_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "definition" JSON NOT NULL,
    "issues" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invalid_draft_pkey" PRIMARY KEY ("workflow_id","user_id")
);

CREATE INDEX "invalid_draft_user_id_idx" ON "invalid_draft"("user_id");

ALTER TABLE "invalid_draft" ADD CONSTRAINT "invalid_draft_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "invalid_draft" ADD CONSTRAINT "invalid_draft_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
