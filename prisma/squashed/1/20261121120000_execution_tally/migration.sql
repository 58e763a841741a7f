-- How many executions have ended, so that a list's `total` needs no count over millions of rows. One row per change,
-- added up in the background; the ones that are under way are few and counted as they stand. Triggers keep it, so
-- that no way of writing or removing executions can forget to.
CREATE TABLE "execution_tally" (
    "id" BIGSERIAL NOT NULL,
    "scope" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "is_sum" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "execution_tally_pkey" PRIMARY KEY ("id")
);

-- Read by scope, without a look at the table.
CREATE INDEX "execution_tally_scope_trigger_status_hour_count_idx" ON "execution_tally"("scope", "trigger", "status", "hour", "count");

-- Changes are added to the one sum of their kind.
CREATE UNIQUE INDEX "execution_tally_sum_key" ON "execution_tally"("scope", "trigger", "status", "hour") WHERE "is_sum";
CREATE INDEX "execution_tally_change_idx" ON "execution_tally"("id") WHERE NOT "is_sum";

-- `scope` is the workspace, by the hour, and the workflow, for all time. Statements end and remove executions by the
-- hundred: each adds one row per count (a row per execution cost a third of the statement that ended them).
CREATE FUNCTION tally_scopes(e "execution") RETURNS TABLE (scope TEXT, hour TIMESTAMPTZ) LANGUAGE sql AS $$
  VALUES (e.workspace_id, date_trunc('hour', e.created_at, 'UTC')), (e.workflow_id, 'epoch');
$$;

CREATE FUNCTION tally_ended() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, after.trigger, after.status, s.hour, count(*)
  FROM after JOIN before USING (id), tally_scopes(after) s
  WHERE after.completed_at IS NOT NULL AND before.completed_at IS NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE FUNCTION tally_removed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, before.trigger, before.status, s.hour, -count(*)
  FROM before, tally_scopes(before) s
  WHERE before.completed_at IS NOT NULL
  GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE FUNCTION tally_stored() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO execution_tally (scope, trigger, status, hour, count)
  SELECT s.scope, NEW.trigger, NEW.status, s.hour, 1 FROM tally_scopes(NEW) s;
  RETURN NULL;
END $$;

CREATE TRIGGER execution_ended AFTER UPDATE ON "execution"
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION tally_ended();
CREATE TRIGGER execution_removed AFTER DELETE ON "execution"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION tally_removed();
-- Executions are stored under way; only copies from elsewhere come ended.
CREATE TRIGGER execution_stored_ended AFTER INSERT ON "execution" FOR EACH ROW
  WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION tally_stored();

INSERT INTO execution_tally (scope, trigger, status, hour, count, is_sum)
SELECT workspace_id, trigger, status, date_trunc('hour', created_at, 'UTC'), count(*), true
FROM execution WHERE completed_at IS NOT NULL GROUP BY 1, 2, 3, 4
UNION ALL
SELECT workflow_id, trigger, status, 'epoch', count(*), true
FROM execution WHERE completed_at IS NOT NULL GROUP BY 1, 2, 3;

-- What a list asks for besides the newest: those under way, the few that failed, those of one trigger.
CREATE INDEX "execution_live_idx" ON "execution"("workspace_id", "created_at" DESC, "id" DESC) WHERE "completed_at" IS NULL;
CREATE INDEX "execution_failed_idx" ON "execution"("workspace_id", "created_at" DESC, "id" DESC) WHERE "status" = 'failed';
CREATE INDEX "execution_workspace_id_trigger_created_at_id_idx" ON "execution"("workspace_id", "trigger", "created_at" DESC, "id" DESC);
