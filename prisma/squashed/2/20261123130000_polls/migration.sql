-- Polls ask a source for new items and start runs with them.
CREATE TABLE poll (
    id text NOT NULL,
    workflow_id text NOT NULL,
    name text NOT NULL,
    interval_ms integer,
    cron text,
    timezone text,
    node json NOT NULL,
    items text NOT NULL,
    key text NOT NULL,
    cursor_expression text,
    deliver text NOT NULL,
    first text NOT NULL,
    enabled boolean NOT NULL,
    cursor json,
    first_polled_at timestamp(3) with time zone,
    next_poll_at timestamp(3) with time zone NOT NULL,
    lease_token text,
    lease_until timestamp(3) with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_polled_at timestamp(3) with time zone,
    last_items integer,
    last_new_items integer,
    last_error text,
    last_refused_at timestamp(3) with time zone,
    last_refused_reason text,
    authorized_by text,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT poll_pkey PRIMARY KEY (id),
    CONSTRAINT poll_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX poll_workflow_id_idx ON poll USING btree (workflow_id);
CREATE INDEX poll_enabled_next_poll_at_idx ON poll USING btree (enabled, next_poll_at);

-- The polls under way.
CREATE INDEX poll_lease_idx ON poll USING btree (lease_token) WHERE (lease_token IS NOT NULL);

-- The keys of items that a poll has seen, hashed.
CREATE TABLE poll_seen (
    poll_id text NOT NULL,
    key text NOT NULL,
    returned_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT poll_seen_pkey PRIMARY KEY (poll_id, key),
    CONSTRAINT poll_seen_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES poll(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX poll_seen_poll_id_returned_at_idx ON poll_seen USING btree (poll_id, returned_at);
