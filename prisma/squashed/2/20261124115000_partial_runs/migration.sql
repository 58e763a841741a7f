-- Runs that end at one node: few of all runs, listed and counted by themselves.
CREATE INDEX execution_partial_idx ON execution USING btree (workspace_id, created_at DESC, id DESC) WHERE (until_node IS NOT NULL);
