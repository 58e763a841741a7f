-- Statements about many runs read stored JSON by functions that no value makes fail: `->` fails on a NUL and on half a surrogate pair.

-- The items of a loop in `node_result.held`, and how many of its rounds run at a time. The service writes `{"items":[…],"concurrency":n}`.
-- Null: it is another value.
CREATE FUNCTION loop_items(held json) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN starts_with(held::text, '{"items":[') THEN
    left(substr(held::text, 10), -length(substring(right(held::text, 40) FROM '\](,"concurrency":\d+\})$')))::json END
$$;
CREATE FUNCTION loop_concurrency(held json) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT substring(right(held::text, 40) FROM '\],"concurrency":(\d{1,9})\}$')::integer
$$;

-- JSON as `jsonb`, with U+FFFD in place of what that cannot hold. Null: it cannot hold it at all, such as a number with a million digits.
CREATE FUNCTION readable_json(value json) RETURNS jsonb LANGUAGE plpgsql STABLE PARALLEL RESTRICTED AS $$
BEGIN
  RETURN value::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  BEGIN
    RETURN regexp_replace(value::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|[Dd][89A-Fa-f][0-9A-Fa-f]{2})', '\1\\ufffd', 'g')::jsonb;
  EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
    RETURN NULL;
  END;
END $$;

-- Whether an error of a run is its cancellation. The service writes the code first.
CREATE FUNCTION is_cancellation(run_error json) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(run_error::text ~ '^\{"code" ?: ?"CANCELLED"', false)
$$;

CREATE OR REPLACE FUNCTION is_followed(run_status text, run_trigger text, run_error json, of_workspace text, of_workflow text, workflow_settings jsonb, workspace_settings jsonb)
    RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT NOT is_cancellation(run_error) AND (
    (run_status = 'failed' AND run_trigger <> 'error'
      AND coalesce(workflow_settings->>'errorWorkflowId', workspace_settings->>'errorWorkflowId') IS NOT NULL)
    OR ((run_status = 'failed' OR EXISTS (SELECT FROM workflow_health h WHERE h.workflow_id = of_workflow AND h.is_failing))
      AND EXISTS (SELECT FROM alert l WHERE l.workspace_id = of_workspace AND l.is_enabled
        AND l.event IN ('run_failed', 'first_failure', 'run_recovered'))))
$$;

-- Which of the runs that are about to be stored a concurrency limit refuses, so that one statement stores the others. Locks as `admit_runs`
-- does, so that what it counts stays true until the commit; `limit_runs` still refuses whole statements that did not ask.
CREATE FUNCTION refused_runs(runs text[], workflows text[]) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  of_workspace text;
  room bigint;
  flow record;
BEGIN
  FOR of_workspace IN
    SELECT DISTINCT s.id FROM workflow w JOIN workspace s ON s.id = w.workspace_id WHERE w.id = ANY(workflows)
      AND ((w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse') OR (s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse'))
    ORDER BY s.id
  LOOP
    PERFORM pg_advisory_xact_lock(7207001, hashtext(of_workspace));
    room := NULL;
    FOR flow IN
      WITH live AS (
        SELECT l.workflow_id, count(*) AS count FROM execution l
        WHERE l.workspace_id = of_workspace AND l.is_limited AND l.completed_at IS NULL AND l.status NOT IN ('completed', 'failed')
          AND NOT EXISTS (SELECT FROM execution c WHERE c.parent_id = l.id AND c.is_awaited AND c.status NOT IN ('completed', 'failed'))
        GROUP BY 1
      )
      SELECT w.id, s.concurrency_limit - (SELECT coalesce(sum(count), 0) FROM live) AS of_all,
        w.concurrency_limit - coalesce((SELECT count FROM live WHERE workflow_id = w.id), 0) AS own,
        coalesce(w.concurrency_limit IS NOT NULL AND w.concurrency_overflow = 'refuse', false)
          OR coalesce(s.concurrency_limit IS NOT NULL AND s.concurrency_overflow = 'refuse', false) AS is_refusing,
        (SELECT array_agg(r.id ORDER BY r.place) FROM unnest(runs, workflows) WITH ORDINALITY AS r(id, workflow_id, place) WHERE r.workflow_id = w.id) AS runs
      FROM workflow w JOIN workspace s ON s.id = w.workspace_id
      WHERE w.workspace_id = of_workspace AND w.id = ANY(workflows) AND (w.concurrency_limit IS NOT NULL OR s.concurrency_limit IS NOT NULL)
      ORDER BY w.id
    LOOP
      room := coalesce(room, flow.of_all);
      IF flow.is_refusing THEN
        RETURN QUERY SELECT unnest(flow.runs[greatest(0, least(room, flow.own)) + 1:]);
      END IF;
      room := room - least(greatest(0, least(room, flow.own)), cardinality(flow.runs));
    END LOOP;
  END LOOP;
END $$;
