-- The foreign key of results was checked for each result that a run stores: a tenth of the database's time of a webhook. Every statement that
-- stores results locks or inserts their run, so it cannot store any for a run that is being removed, and `remove_run_parts` removes them with
-- their run, as it does where runs are partitioned.
-- In the order of nearly all statements.
LOCK TABLE execution, node_result IN ACCESS EXCLUSIVE MODE;

DROP TRIGGER IF EXISTS execution_parts ON execution;
CREATE TRIGGER execution_parts AFTER DELETE ON execution REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION remove_run_parts();

-- PostgreSQL keeps the plan of the first call. One that reads whole tables, which suits small tables, would be slow for large ones.
ALTER FUNCTION remove_run_parts() SET enable_hashjoin = off;
ALTER FUNCTION remove_run_parts() SET enable_mergejoin = off;
ALTER FUNCTION remove_run_parts() SET enable_seqscan = off;

ALTER TABLE node_result DROP CONSTRAINT IF EXISTS node_result_execution_id_fkey;
