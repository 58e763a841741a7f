-- What is read by statements about many runs leaves the JSON that holds texts of users: `->>` fails on JSON with a NUL or half a surrogate pair.
-- In the order of nearly all statements.
LOCK TABLE execution, node_result IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE node_result ADD COLUMN round integer, ADD COLUMN child_id text;
DROP INDEX node_result_child_idx;
CREATE INDEX node_result_child_idx ON node_result (child_id) WHERE status = 'running' AND child_id IS NOT NULL;

-- Processes of the release before write `held` alone. Their JSON begins with these fields, so that no escape has to be read.
CREATE FUNCTION describe_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.round := substring(left(NEW.held::text, 100) FROM '^\{"round":(\d{1,9})[,}]')::integer;
  NEW.child_id := substring(left(NEW.held::text, 100) FROM '^\{"childId":"([A-Za-z0-9_-]+)"\}$');
  RETURN NEW;
END $$;
CREATE TRIGGER node_result_held BEFORE INSERT OR UPDATE OF held ON node_result FOR EACH ROW
  WHEN (NEW.held IS NOT NULL AND NEW.round IS NULL AND NEW.child_id IS NULL) EXECUTE FUNCTION describe_held();

UPDATE node_result r SET held = r.held FROM execution e
WHERE e.completed_at IS NULL AND e.id = r.execution_id AND r.held IS NOT NULL;

-- What a process must know to continue a run: the sum of numbers in `server/workflow/abilities.ts`.
ALTER TABLE workflow_version ADD COLUMN required_abilities integer NOT NULL DEFAULT 0;
ALTER TABLE execution ADD COLUMN required_abilities integer NOT NULL DEFAULT 0;
CREATE INDEX workflow_version_required_abilities_idx ON workflow_version (workflow_id, version) WHERE required_abilities <> 0;
-- What the process of a worker knows; null: it is of the release before, whose claims do not compare.
ALTER TABLE worker ADD COLUMN abilities integer;

-- Withholds a run from the claim of a worker that lacks an ability. Claims of this release do not ask for such runs.
CREATE FUNCTION withhold_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.required_abilities & ~coalesce((SELECT abilities FROM worker WHERE id = NEW.worker_id), 0) <> 0 THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER execution_withheld BEFORE UPDATE OF worker_id ON execution FOR EACH ROW
  WHEN (OLD.worker_id IS NULL AND NEW.worker_id IS NOT NULL AND OLD.required_abilities <> 0) EXECUTE FUNCTION withhold_run();

-- As before, and gives runs that the release before stores what their versions require.
CREATE OR REPLACE FUNCTION limit_runs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  of_workspace text;
BEGIN
  IF EXISTS (SELECT FROM workflow_version WHERE required_abilities <> 0) THEN
    UPDATE execution e SET required_abilities = v.required_abilities
    FROM added a JOIN workflow_version v ON v.workflow_id = a.workflow_id AND v.version = a.workflow_version
    WHERE e.id = a.id AND a.worker_id IS NULL AND v.required_abilities & ~a.required_abilities <> 0;
  END IF;
  FOR of_workspace IN
    SELECT DISTINCT a.workspace_id FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE a.worker_id IS NULL AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL OR w.settings ? 'timeoutMs')
    ORDER BY a.workspace_id
  LOOP
    UPDATE execution e SET deadline_at = e.started_at + (w.settings->>'timeoutMs')::bigint * interval '1 millisecond'
    FROM added a JOIN workflow w ON w.id = a.workflow_id
    WHERE e.id = a.id AND a.worker_id IS NULL AND a.completed_at IS NULL AND a.workspace_id = of_workspace AND w.settings ? 'timeoutMs';
    UPDATE execution e SET is_limited = true, queued_at = e.created_at, available_at = NULL
    FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE e.id = a.id AND a.worker_id IS NULL AND a.workspace_id = of_workspace AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL);
    PERFORM admit_runs(of_workspace);
    PERFORM 1 FROM added a JOIN execution e ON e.id = a.id JOIN workflow w ON w.id = a.workflow_id
      JOIN workspace s ON s.id = a.workspace_id
    WHERE a.workspace_id = of_workspace AND e.queued_at IS NOT NULL AND (
      (w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse')
      OR (s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse'));
    IF FOUND THEN
      RAISE EXCEPTION 'as many runs as allowed are under way' USING ERRCODE = 'WF001';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Due runs, the oldest first. Only queries that ask for `completed_at IS NULL` can use it: those for the runs of one workspace have their own.
CREATE INDEX execution_due_idx ON execution (is_alone, available_at)
  WHERE worker_id IS NULL AND available_at IS NOT NULL AND completed_at IS NULL;
