-- Chats of workflows: pages on which a message starts a run.
CREATE TABLE "chat" (
    "id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "greeting" TEXT NOT NULL DEFAULT '',
    "placeholder" TEXT NOT NULL DEFAULT '',
    "examples" JSON NOT NULL,
    "access" TEXT NOT NULL,
    "takes_files" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "chat_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "chat_workflow_id_path_key" ON "chat"("workflow_id", "path");
ALTER TABLE "chat" ADD CONSTRAINT "chat_workflow_id_fkey" FOREIGN KEY ("workflow_id") REFERENCES "workflow"("id") ON DELETE CASCADE ON UPDATE CASCADE;
