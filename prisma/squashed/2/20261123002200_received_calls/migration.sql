-- What was posted to the addresses at which runs wait: one call for each.
CREATE TABLE received_call (
    execution_id text NOT NULL,
    node_id text NOT NULL,
    value json NOT NULL,
    received_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT received_call_pkey PRIMARY KEY (execution_id, node_id)
);
ALTER TABLE received_call
    ADD CONSTRAINT received_call_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE;
