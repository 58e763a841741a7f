-- What follows the end of a run beside the removal of its data: the start of an error workflow.
CREATE FUNCTION is_followed(run_status text, run_trigger text, run_error json, of_workspace text, workflow_settings jsonb, workspace_settings jsonb)
    RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT run_status = 'failed' AND run_error->>'code' IS DISTINCT FROM 'CANCELLED' AND run_trigger <> 'error'
    AND coalesce(workflow_settings->>'errorWorkflowId', workspace_settings->>'errorWorkflowId') IS NOT NULL
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
  INSERT INTO run_ending (execution_id, kind, due_at)
  SELECT after.id, step.kind, now() + step.delay
  FROM after JOIN before USING (id) JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN LATERAL (VALUES
    ('clean', interval '5 seconds', is_data_unwanted(w.settings, after.status)),
    ('follow', interval '0', is_followed(after.status, after.trigger, after.error, s.id, w.settings, s.settings))
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
  INSERT INTO run_ending (execution_id, kind, due_at)
  SELECT after.id, step.kind, now() + step.delay
  FROM after JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN LATERAL (VALUES
    ('clean', interval '5 seconds', is_data_unwanted(w.settings, after.status)),
    ('follow', interval '0', is_followed(after.status, after.trigger, after.error, s.id, w.settings, s.settings))
  ) step(kind, delay, is_due)
  WHERE after.completed_at IS NOT NULL AND step.is_due;
  RETURN NULL;
END $$;
