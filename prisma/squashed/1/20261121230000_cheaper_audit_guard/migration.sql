-- Every entry is updated once, by the sealer. What may be done is said in conditions, which cost next to nothing; the
-- function is called for what may not.
DROP TRIGGER "audit_entry_guard" ON "audit_entry";
CREATE OR REPLACE FUNCTION "audit_entry_guard"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;

-- What an entry says never changes.
CREATE TRIGGER "audit_entry_no_change" BEFORE UPDATE OF "id", "sequence", "workspace_id", "timestamp", "category", "action", "result",
  "actor", "resource", "metadata" ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();
-- It gets its place in the chain once,
CREATE TRIGGER "audit_entry_place_once" BEFORE UPDATE ON "audit_entry" FOR EACH ROW
  WHEN (OLD."position" IS NOT NULL OR NEW."position" IS NULL) EXECUTE FUNCTION "audit_entry_guard"();
-- and goes only by retention, which says so.
CREATE TRIGGER "audit_entry_no_delete" BEFORE DELETE ON "audit_entry" FOR EACH ROW
  WHEN (OLD."position" IS NULL OR coalesce(current_setting('weft.audit_retention', true), '') <> 'on') EXECUTE FUNCTION "audit_entry_guard"();
