-- What `remember` nodes keep under one key: a value, or a list of items that were seen.
CREATE TABLE remembered (
    id bigserial NOT NULL,
    workspace_id text NOT NULL,
    workflow_id text,
    scope_id text NOT NULL,
    key text NOT NULL,
    is_list boolean NOT NULL,
    value json,
    expires_at timestamp(3) with time zone,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT remembered_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX remembered_scope_id_key_is_list_key ON remembered (scope_id, key, is_list);
CREATE INDEX remembered_workspace_id_idx ON remembered (workspace_id);
CREATE INDEX remembered_workflow_id_idx ON remembered (workflow_id);
CREATE INDEX remembered_expires_at_idx ON remembered (expires_at);
ALTER TABLE remembered
    ADD CONSTRAINT remembered_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE,
    ADD CONSTRAINT remembered_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TABLE remembered_item (
    list_id bigint NOT NULL,
    item text NOT NULL,
    expires_at timestamp(3) with time zone,
    CONSTRAINT remembered_item_pkey PRIMARY KEY (list_id, item)
);
CREATE INDEX remembered_item_expires_at_idx ON remembered_item (expires_at);
ALTER TABLE remembered_item
    ADD CONSTRAINT remembered_item_list_id_fkey FOREIGN KEY (list_id) REFERENCES remembered(id) ON UPDATE CASCADE ON DELETE CASCADE;
