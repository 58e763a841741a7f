-- What follows the ends of runs is handed out round robin by workspace, so each row names its workspace.
ALTER TABLE run_ending ADD COLUMN workspace_id text;
UPDATE run_ending r SET workspace_id = e.workspace_id FROM execution e WHERE e.id = r.execution_id;
DELETE FROM run_ending WHERE workspace_id IS NULL;
ALTER TABLE run_ending ALTER COLUMN workspace_id SET NOT NULL;
DROP INDEX run_ending_due_at_idx;
-- For loose index scans: the workspaces that wait, and the oldest rows of each.
CREATE INDEX run_ending_follow_idx ON run_ending (workspace_id, due_at) WHERE kind <> 'clean';
CREATE INDEX run_ending_clean_idx ON run_ending (workspace_id, due_at) WHERE kind = 'clean';

CREATE INDEX alert_event_workspace_id_id_idx ON alert_event (workspace_id, id);

ALTER TABLE alert_notice ADD COLUMN workspace_id text;
UPDATE alert_notice n SET workspace_id = a.workspace_id FROM alert a WHERE a.id = n.alert_id;
DELETE FROM alert_notice WHERE workspace_id IS NULL;
ALTER TABLE alert_notice ALTER COLUMN workspace_id SET NOT NULL;
DROP INDEX alert_notice_due_at_idx;
CREATE INDEX alert_notice_workspace_id_due_at_idx ON alert_notice (workspace_id, due_at);

-- Processes of the version before do not name the workspace.
CREATE FUNCTION name_workspace_of_notice() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  SELECT workspace_id INTO NEW.workspace_id FROM alert WHERE id = NEW.alert_id;
  RETURN NEW;
END $$;
CREATE TRIGGER name_workspace BEFORE INSERT ON alert_notice FOR EACH ROW
  WHEN (NEW.workspace_id IS NULL) EXECUTE FUNCTION name_workspace_of_notice();

-- A completed run is news for alerts only while its workflow is failing.
CREATE FUNCTION is_followed(run_status text, run_trigger text, run_error json, of_workspace text, of_workflow text, workflow_settings jsonb, workspace_settings jsonb)
    RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT run_error->>'code' IS DISTINCT FROM 'CANCELLED' AND (
    (run_status = 'failed' AND run_trigger <> 'error'
      AND coalesce(workflow_settings->>'errorWorkflowId', workspace_settings->>'errorWorkflowId') IS NOT NULL)
    OR ((run_status = 'failed' OR EXISTS (SELECT FROM workflow_health h WHERE h.workflow_id = of_workflow AND h.is_failing))
      AND EXISTS (SELECT FROM alert l WHERE l.workspace_id = of_workspace AND l.is_enabled
        AND l.event IN ('run_failed', 'first_failure', 'run_recovered'))))
$$;

CREATE OR REPLACE FUNCTION tally_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  ended integer;
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after JOIN before USING (id)
  CROSS JOIN LATERAL (VALUES (after.workspace_id, date_trunc('hour', after.created_at, 'UTC')), (after.workflow_id, 'epoch')) s(scope, hour)
  WHERE after.completed_at IS NOT NULL AND before.completed_at IS NULL
  GROUP BY 1, 2, 3, 4;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended = 0 THEN
    RETURN NULL;
  END IF;
  -- Data is removed a few seconds later, for those who read the result of a run as it ends.
  INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
  SELECT after.id, step.kind, now() + step.delay, s.id
  FROM after JOIN before USING (id) JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN LATERAL (VALUES
    ('clean', interval '5 seconds', is_data_unwanted(w.settings, after.status)),
    ('follow', interval '0', is_followed(after.status, after.trigger, after.error, s.id, w.id, w.settings, s.settings))
  ) step(kind, delay, is_due)
  WHERE after.completed_at IS NOT NULL AND before.completed_at IS NULL AND step.is_due;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tally_stored() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  ended integer;
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after
  CROSS JOIN LATERAL (VALUES (after.workspace_id, date_trunc('hour', after.created_at, 'UTC')), (after.workflow_id, 'epoch')) s(scope, hour)
  WHERE after.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended = 0 THEN
    RETURN NULL;
  END IF;
  INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
  SELECT after.id, step.kind, now() + step.delay, s.id
  FROM after JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN LATERAL (VALUES
    ('clean', interval '5 seconds', is_data_unwanted(w.settings, after.status)),
    ('follow', interval '0', is_followed(after.status, after.trigger, after.error, s.id, w.id, w.settings, s.settings))
  ) step(kind, delay, is_due)
  WHERE after.completed_at IS NOT NULL AND step.is_due;
  RETURN NULL;
END $$;

DROP FUNCTION is_followed(text, text, json, text, jsonb, jsonb);
