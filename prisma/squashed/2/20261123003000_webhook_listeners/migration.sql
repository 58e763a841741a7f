-- Who waits for a test call of which webhook. One row for each person and workflow.
CREATE TABLE webhook_listener (
    workflow_id text NOT NULL,
    user_id text NOT NULL,
    webhook_id text NOT NULL,
    since timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    until timestamp(3) with time zone NOT NULL,
    CONSTRAINT webhook_listener_pkey PRIMARY KEY (workflow_id, user_id)
);
CREATE INDEX webhook_listener_webhook_id_idx ON webhook_listener (webhook_id);
CREATE INDEX webhook_listener_user_id_idx ON webhook_listener (user_id);
ALTER TABLE webhook_listener
    ADD CONSTRAINT webhook_listener_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_listener
    ADD CONSTRAINT webhook_listener_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE webhook_listener
    ADD CONSTRAINT webhook_listener_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON UPDATE CASCADE ON DELETE CASCADE;
