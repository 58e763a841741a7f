-- DropIndex
DROP INDEX "audit_entry_workspace_id_sequence_idx";

-- CreateIndex
CREATE INDEX "audit_entry_workspace_id_timestamp_sequence_idx" ON "audit_entry"("workspace_id", "timestamp" DESC, "sequence" DESC);
