-- Entries are written once and never touched again. Their places in the chain are kept apart, a stretch of them in a row:
-- to give each entry its own cost as much as to write it.
CREATE TABLE "audit_block" (
    "chain" TEXT NOT NULL,
    "first_position" BIGINT NOT NULL,
    "sequences" BIGINT[],
    "hashes" BYTEA NOT NULL,

    CONSTRAINT "audit_block_pkey" PRIMARY KEY ("chain","first_position")
);
CREATE TABLE "audit_waiting" (
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "audit_waiting_pkey" PRIMARY KEY ("sequence")
);

INSERT INTO "audit_block" ("chain", "first_position", "sequences", "hashes")
SELECT coalesce("workspace_id", 'service'), min("position"), array_agg("sequence" ORDER BY "position"),
  string_agg(decode("hash", 'hex'), '' ORDER BY "position")
FROM "audit_entry" WHERE "position" IS NOT NULL
GROUP BY coalesce("workspace_id", 'service'), ("position" - 1) / 200;
INSERT INTO "audit_waiting" SELECT "sequence" FROM "audit_entry" WHERE "position" IS NULL;

DROP TRIGGER "audit_entry_no_change" ON "audit_entry";
DROP TRIGGER "audit_entry_place_once" ON "audit_entry";
DROP TRIGGER "audit_entry_no_delete" ON "audit_entry";
-- Their indexes go along.
ALTER TABLE "audit_entry" DROP COLUMN "position", DROP COLUMN "hash";

-- What follows can't be said in the Prisma schema.

-- Hashes can't be compressed.
ALTER TABLE "audit_block" ALTER COLUMN "hashes" SET STORAGE EXTERNAL;

-- Whoever writes an entry has it wait for its place.
CREATE FUNCTION "audit_entry_waits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "audit_waiting" SELECT "sequence" FROM "fresh";
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_entry_waits" AFTER INSERT ON "audit_entry" REFERENCING NEW TABLE AS "fresh"
  FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_waits"();

-- Entries and their places never change,
CREATE TRIGGER "audit_entry_no_change" BEFORE UPDATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();
CREATE TRIGGER "audit_block_no_change" BEFORE UPDATE ON "audit_block" FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();
CREATE TRIGGER "audit_block_no_truncate" BEFORE TRUNCATE ON "audit_block" FOR EACH STATEMENT EXECUTE FUNCTION "audit_entry_guard"();
-- and go only by retention, which says so.
CREATE TRIGGER "audit_entry_no_delete" BEFORE DELETE ON "audit_entry" FOR EACH ROW
  WHEN (coalesce(current_setting('weft.audit_retention', true), '') <> 'on') EXECUTE FUNCTION "audit_entry_guard"();
CREATE TRIGGER "audit_block_no_delete" BEFORE DELETE ON "audit_block" FOR EACH ROW
  WHEN (coalesce(current_setting('weft.audit_retention', true), '') <> 'on') EXECUTE FUNCTION "audit_entry_guard"();
