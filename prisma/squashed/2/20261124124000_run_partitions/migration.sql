-- What `npm run partition` needs. A partitioned table cannot have a unique index without its partition key, and dropping a partition checks
-- every foreign key that refers to it: there, these functions do what an index and foreign keys do otherwise.
CREATE TABLE "run_child" (
    "parent_id" TEXT NOT NULL,
    "parent_node" TEXT NOT NULL,
    "parent_attempt" INTEGER NOT NULL,

    CONSTRAINT "run_child_pkey" PRIMARY KEY ("parent_id", "parent_node", "parent_attempt")
);

-- BEFORE INSERT on a row of `execution` with a parent: skips the row if the attempt has a child, as ON CONFLICT DO NOTHING would.
CREATE FUNCTION admit_child() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO run_child (parent_id, parent_node, parent_attempt) VALUES (NEW.parent_id, NEW.parent_node, NEW.parent_attempt)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    RETURN NEW;
  END IF;
  RETURN NULL;
END $$;

-- AFTER DELETE on `execution`, with its old rows as `before`: removes the rows that belong to them.
CREATE FUNCTION remove_run_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM node_result p USING before WHERE p.execution_id = before.id;
  DELETE FROM log_entry p USING before WHERE p.execution_id = before.id;
  DELETE FROM decision p USING before WHERE p.execution_id = before.id;
  DELETE FROM execution_answer p USING before WHERE p.execution_id = before.id;
  DELETE FROM received_call p USING before WHERE p.execution_id = before.id;
  DELETE FROM file_use p USING before WHERE p.execution_id = before.id;
  DELETE FROM run_family p USING before WHERE p.root_id = before.id;
  DELETE FROM run_child p USING before WHERE p.parent_id = before.id;
  RETURN NULL;
END $$;

-- As before, without a function whose argument is a row of `execution`: a partitioned table has another row type.
CREATE OR REPLACE FUNCTION tally_removed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, before.trigger, before.status, s.hour, -count(*)
  FROM before
  CROSS JOIN LATERAL (VALUES (before.workspace_id, date_trunc('hour', before.created_at, 'UTC')), (before.workflow_id, 'epoch')) s(scope, hour)
  WHERE before.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

DROP FUNCTION tally_scopes(execution);
