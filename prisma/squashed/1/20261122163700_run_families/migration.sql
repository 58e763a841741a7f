-- A run and all that descends from it: how many runs it has led to is counted at its root, in a row that is written
-- only when a run starts another. Its row lock makes the count exact across processes.
ALTER TABLE "execution" ADD COLUMN     "root_id" TEXT;

CREATE TABLE "run_family" (
    "root_id" TEXT NOT NULL,
    "descendants" INTEGER NOT NULL,

    CONSTRAINT "run_family_pkey" PRIMARY KEY ("root_id")
);

ALTER TABLE "run_family" ADD CONSTRAINT "run_family_root_id_fkey" FOREIGN KEY ("root_id") REFERENCES "execution"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A run that waits for a sub-workflow does not count against a limit on runs at a time: its sub-workflow does. Otherwise
-- both would wait for each other under a limit of one.
CREATE OR REPLACE FUNCTION admit_runs(of_workspace text) RETURNS integer LANGUAGE plpgsql AS $$
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
  UPDATE execution e SET queued_at = NULL, available_at = now()
  FROM candidate c WHERE e.id = c.id AND (room IS NULL OR c.place <= room);
  GET DIAGNOSTICS admitted = ROW_COUNT;
  IF admitted > 0 THEN
    PERFORM pg_notify('weft_work', '');
  END IF;
  RETURN admitted;
END $$;
