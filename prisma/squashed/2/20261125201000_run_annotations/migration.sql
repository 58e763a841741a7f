-- What people say about runs: a rating, tags, a note, and whether the clean-up keeps them.
CREATE TABLE "execution_annotation" (
    "execution_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "rating" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "note" TEXT NOT NULL DEFAULT '',
    "is_kept" BOOLEAN NOT NULL DEFAULT false,
    "updated_by" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "execution_annotation_pkey" PRIMARY KEY ("execution_id")
);

CREATE INDEX "execution_annotation_workspace_id_updated_at_idx" ON "execution_annotation"("workspace_id", "updated_at" DESC);

-- Where runs are partitioned, no foreign key refers to them: `remove_run_parts` does the work.
DO $$
BEGIN
  IF (SELECT relkind FROM pg_class WHERE oid = 'execution'::regclass) = 'r' THEN
    ALTER TABLE "execution_annotation" ADD CONSTRAINT "execution_annotation_execution_id_fkey" FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE ON UPDATE CASCADE;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION remove_run_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM node_result p USING before WHERE p.execution_id = before.id;
  DELETE FROM log_entry p USING before WHERE p.execution_id = before.id;
  DELETE FROM decision p USING before WHERE p.execution_id = before.id;
  DELETE FROM execution_answer p USING before WHERE p.execution_id = before.id;
  DELETE FROM execution_annotation p USING before WHERE p.execution_id = before.id;
  DELETE FROM received_call p USING before WHERE p.execution_id = before.id;
  DELETE FROM file_use p USING before WHERE p.execution_id = before.id;
  DELETE FROM run_family p USING before WHERE p.root_id = before.id;
  DELETE FROM run_child p USING before WHERE p.parent_id = before.id;
  RETURN NULL;
END $$;
