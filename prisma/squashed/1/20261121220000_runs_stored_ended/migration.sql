-- Runs that need nothing from outside are stored as they ended, by the hundred: counted per statement, like those that
-- end later.
DROP TRIGGER execution_stored_ended ON "execution";

CREATE OR REPLACE FUNCTION tally_stored() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after
  CROSS JOIN LATERAL (VALUES (after.workspace_id, date_trunc('hour', after.created_at, 'UTC')), (after.workflow_id, 'epoch')) s(scope, hour)
  WHERE after.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE TRIGGER execution_stored_ended AFTER INSERT ON "execution"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_stored();
