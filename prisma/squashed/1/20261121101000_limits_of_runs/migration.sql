-- How many runs may be under way at a time, of a workflow and in a workspace; what is over waits or is refused.
ALTER TABLE "workspace" ADD COLUMN     "concurrency_limit" INTEGER,
ADD COLUMN     "concurrency_overflow" TEXT NOT NULL DEFAULT 'queue';
ALTER TABLE "workflow" ADD COLUMN     "concurrency_limit" INTEGER,
ADD COLUMN     "concurrency_overflow" TEXT NOT NULL DEFAULT 'queue';
ALTER TABLE "execution" ADD COLUMN     "is_limited" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "queued_at" TIMESTAMPTZ(3);

CREATE INDEX "execution_limited_idx" ON "execution"("workspace_id", "workflow_id") WHERE "is_limited" AND "queued_at" IS NULL AND "status" NOT IN ('completed', 'failed');
CREATE INDEX "execution_queued_idx" ON "execution"("workspace_id", "workflow_id", "queued_at", "id") WHERE "queued_at" IS NOT NULL AND "status" = 'pending';

-- Lets as many of a workspace's queued runs go as there is room for, the oldest first. One caller at a time.
CREATE FUNCTION admit_runs(of_workspace text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  room integer;
  admitted integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7207001, hashtext(of_workspace));
  SELECT s.concurrency_limit - (SELECT count(*) FROM execution WHERE workspace_id = of_workspace
      AND is_limited AND queued_at IS NULL AND status NOT IN ('completed', 'failed'))
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
          AND l.is_limited AND l.queued_at IS NULL AND l.status NOT IN ('completed', 'failed')))) END) due
  )
  UPDATE execution e SET queued_at = NULL, available_at = now()
  FROM candidate c WHERE e.id = c.id AND (room IS NULL OR c.place <= room);
  GET DIAGNOSTICS admitted = ROW_COUNT;
  IF admitted > 0 THEN
    PERFORM pg_notify('weft_work', '');
  END IF;
  RETURN admitted;
END $$;

-- Once per statement, whoever stores runs: those that a limit holds for are queued, and let go if there is room.
CREATE FUNCTION limit_runs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_workspace text;
BEGIN
  FOR of_workspace IN
    SELECT DISTINCT a.workspace_id FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL ORDER BY a.workspace_id
  LOOP
    UPDATE execution e SET is_limited = true, queued_at = e.created_at, available_at = NULL
    FROM added a JOIN workflow w ON w.id = a.workflow_id JOIN workspace s ON s.id = a.workspace_id
    WHERE e.id = a.id AND a.workspace_id = of_workspace AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL);
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

CREATE TRIGGER execution_limit AFTER INSERT ON "execution" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_runs();
