-- As before, at a quarter of the cost: usually the runs of a statement complete, are kept, and belong to workflows that do not fail. One look
-- at the workflows finds that out; `is_followed` is called for runs of other statements only. Without LATERAL, whose expressions are prepared
-- anew for each row, and without a join of the transition tables, which is planned for few rows and compares each with each.
CREATE OR REPLACE FUNCTION tally_ended() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  ended integer;
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT workspace_id, trigger, status, date_trunc('hour', created_at, 'UTC'), count(*)
  FROM after WHERE completed_at IS NOT NULL AND id NOT IN (SELECT id FROM before WHERE completed_at IS NOT NULL) GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT workflow_id, trigger, status, 'epoch', count(*)
  FROM after WHERE completed_at IS NOT NULL AND id NOT IN (SELECT id FROM before WHERE completed_at IS NOT NULL) GROUP BY 1, 2, 3;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended = 0 OR NOT (
    EXISTS (SELECT FROM after WHERE status = 'failed')
    OR EXISTS (
      SELECT FROM workflow w LEFT JOIN workflow_health h ON h.workflow_id = w.id
      WHERE w.id IN (SELECT workflow_id FROM after WHERE completed_at IS NOT NULL) AND (h.is_failing OR w.settings ? 'saveData')
    )
  ) THEN
    RETURN NULL;
  END IF;
  -- Data is removed a few seconds later, for those who read the result of a run as it ends.
  INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
  SELECT after.id, step.kind, now() + step.delay, s.id
  FROM after JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN (VALUES ('clean', interval '5 seconds'), ('follow', interval '0')) step(kind, delay)
  WHERE after.completed_at IS NOT NULL AND after.id NOT IN (SELECT id FROM before WHERE completed_at IS NOT NULL)
    AND CASE step.kind WHEN 'clean' THEN is_data_unwanted(w.settings, after.status)
      ELSE is_followed(after.status, after.trigger, after.error, s.id, w.id, w.settings, s.settings) END;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tally_stored() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  ended integer;
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT workspace_id, trigger, status, date_trunc('hour', created_at, 'UTC'), count(*)
  FROM after WHERE completed_at IS NOT NULL GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT workflow_id, trigger, status, 'epoch', count(*)
  FROM after WHERE completed_at IS NOT NULL GROUP BY 1, 2, 3;
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF ended = 0 OR NOT (
    EXISTS (SELECT FROM after WHERE status = 'failed')
    OR EXISTS (
      SELECT FROM workflow w LEFT JOIN workflow_health h ON h.workflow_id = w.id
      WHERE w.id IN (SELECT workflow_id FROM after WHERE completed_at IS NOT NULL) AND (h.is_failing OR w.settings ? 'saveData')
    )
  ) THEN
    RETURN NULL;
  END IF;
  INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
  SELECT after.id, step.kind, now() + step.delay, s.id
  FROM after JOIN workflow w ON w.id = after.workflow_id JOIN workspace s ON s.id = after.workspace_id
  CROSS JOIN (VALUES ('clean', interval '5 seconds'), ('follow', interval '0')) step(kind, delay)
  WHERE after.completed_at IS NOT NULL
    AND CASE step.kind WHEN 'clean' THEN is_data_unwanted(w.settings, after.status)
      ELSE is_followed(after.status, after.trigger, after.error, s.id, w.id, w.settings, s.settings) END;
  RETURN NULL;
END $$;
