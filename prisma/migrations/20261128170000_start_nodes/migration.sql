-- The start node at which runs begin. Null, as in all rows of the release before: every start node.
ALTER TABLE webhook ADD COLUMN start_node_id text;
ALTER TABLE form ADD COLUMN start_node_id text;
ALTER TABLE chat ADD COLUMN start_node_id text;
ALTER TABLE schedule ADD COLUMN start_node_id text;
ALTER TABLE poll ADD COLUMN start_node_id text;
ALTER TABLE workflow_test ADD COLUMN start_node_id text;
ALTER TABLE execution ADD COLUMN start_node_id text;
