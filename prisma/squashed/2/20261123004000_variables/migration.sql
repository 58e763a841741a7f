-- Variables: named values of a workspace that its workflows read. Not secret.
CREATE TABLE variable (
    workspace_id text NOT NULL,
    name text NOT NULL,
    value json NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT variable_pkey PRIMARY KEY (workspace_id, name)
);
ALTER TABLE variable
    ADD CONSTRAINT variable_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;
