-- Settings of a workflow, and the work that follows the end of a run.
ALTER TABLE workflow ADD COLUMN settings jsonb NOT NULL DEFAULT '{}';
ALTER TABLE execution ADD COLUMN deadline_at timestamp(3) with time zone;
ALTER TABLE execution ADD COLUMN data_removed_at timestamp(3) with time zone;

-- One row for each thing that is to follow the end of a run. It is written by the statement that ends the run.
CREATE TABLE run_ending (
    execution_id text NOT NULL,
    kind text NOT NULL,
    due_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
    tries integer NOT NULL DEFAULT 0,
    CONSTRAINT run_ending_pkey PRIMARY KEY (execution_id, kind)
);
CREATE INDEX run_ending_due_at_idx ON run_ending (due_at);

CREATE FUNCTION is_data_unwanted(settings jsonb, status text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT coalesce(settings->>'saveData' = 'none' OR (settings->>'saveData' = 'failed' AND status = 'completed'), false)
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
  -- A few seconds later, for those who read the result of a run as it ends.
  INSERT INTO run_ending (execution_id, kind, due_at)
  SELECT after.id, 'clean', now() + interval '5 seconds'
  FROM after JOIN before USING (id) JOIN workflow w ON w.id = after.workflow_id
  WHERE after.completed_at IS NOT NULL AND before.completed_at IS NULL AND is_data_unwanted(w.settings, after.status);
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
  SELECT after.id, 'clean', now() + interval '5 seconds'
  FROM after JOIN workflow w ON w.id = after.workflow_id
  WHERE after.completed_at IS NOT NULL AND is_data_unwanted(w.settings, after.status);
  RETURN NULL;
END $$;

-- The time limit of a run begins when the run is let go, not while it waits for room.
CREATE OR REPLACE FUNCTION admit_runs(of_workspace text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  room integer;
  admitted integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7207001, hashtext(of_workspace));
  SELECT s.concurrency_limit - (SELECT count(*) FROM execution l WHERE l.workspace_id = of_workspace
      AND l.is_limited AND l.queued_at IS NULL AND l.status NOT IN ('completed', 'failed')
      AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = l.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed')))
    INTO room FROM workspace s WHERE s.id = of_workspace;
  WITH RECURSIVE queueing AS (
    (SELECT workflow_id FROM execution WHERE workspace_id = of_workspace AND queued_at IS NOT NULL AND status = 'pending'
      ORDER BY workflow_id LIMIT 1)
    UNION ALL
    SELECT (SELECT workflow_id FROM execution WHERE workspace_id = of_workspace AND queued_at IS NOT NULL
      AND status = 'pending' AND workflow_id > q.workflow_id ORDER BY workflow_id LIMIT 1)
    FROM queueing q WHERE q.workflow_id IS NOT NULL
  ),
  candidate AS (
    SELECT due.id, row_number() OVER (ORDER BY due.queued_at, due.id) AS place
    FROM queueing JOIN workflow w ON w.id = queueing.workflow_id CROSS JOIN LATERAL (
      SELECT id, queued_at FROM execution e
      WHERE e.workspace_id = of_workspace AND e.workflow_id = w.id AND e.queued_at IS NOT NULL AND e.status = 'pending'
      ORDER BY e.queued_at, e.id
      LIMIT CASE WHEN room IS NOT NULL OR w.concurrency_limit IS NOT NULL THEN greatest(0, least(room, w.concurrency_limit - (SELECT count(*) FROM execution l
        WHERE l.workspace_id = of_workspace AND l.workflow_id = w.id
          AND l.is_limited AND l.queued_at IS NULL AND l.status NOT IN ('completed', 'failed')
          AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = l.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed'))))) END) due
  )
  UPDATE execution e SET queued_at = NULL, available_at = now(), deadline_at = now() + (e.deadline_at - e.started_at)
  FROM candidate c WHERE e.id = c.id AND (room IS NULL OR c.place <= room);
  GET DIAGNOSTICS admitted = ROW_COUNT;
  IF admitted > 0 THEN
    PERFORM pg_notify('weft_work', '');
  END IF;
  RETURN admitted;
END $$;

-- One look at the workflows serves both limits: that of concurrent runs and that of time.
CREATE OR REPLACE FUNCTION limit_runs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  of_workspace text;
BEGIN
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
