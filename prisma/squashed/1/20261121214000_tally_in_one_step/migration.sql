-- The scopes of a run are named where it is counted: calling a function for each cost as much as all the rest.
CREATE OR REPLACE FUNCTION tally_ended() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after JOIN before USING (id)
  CROSS JOIN LATERAL (VALUES (after.workspace_id, date_trunc('hour', after.created_at, 'UTC')), (after.workflow_id, 'epoch')) s(scope, hour)
  WHERE after.completed_at IS NOT NULL AND before.completed_at IS NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
