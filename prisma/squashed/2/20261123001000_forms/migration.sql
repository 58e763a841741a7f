-- Forms of workflows, and the values that approvals ask for.
CREATE TABLE form (
    id text NOT NULL,
    workflow_id text NOT NULL,
    path text NOT NULL,
    title text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    fields json NOT NULL,
    access text NOT NULL,
    response json NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT form_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX form_workflow_id_path_key ON form (workflow_id, path);
ALTER TABLE form
    ADD CONSTRAINT form_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE decision ADD COLUMN data json;
