-- The filters that people have saved, of the lists of a workspace.
CREATE TABLE "saved_filter" (
  "workspace_id" TEXT NOT NULL,
  "user_id" TEXT NOT NULL,
  "list" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "saved_filter_pkey" PRIMARY KEY ("workspace_id", "user_id", "list", "name"),
  CONSTRAINT "saved_filter_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "saved_filter_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "saved_filter_user_id_idx" ON "saved_filter"("user_id");
