-- Folders, tags and favorites of workflows.
CREATE TABLE folder (
    id text NOT NULL,
    workspace_id text NOT NULL,
    parent_id text,
    name text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT folder_pkey PRIMARY KEY (id)
);
CREATE INDEX folder_workspace_id_idx ON folder (workspace_id);
CREATE INDEX folder_parent_id_idx ON folder (parent_id);
ALTER TABLE folder
    ADD CONSTRAINT folder_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE folder
    ADD CONSTRAINT folder_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES folder(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE workflow ADD COLUMN tags text[] DEFAULT '{}';
ALTER TABLE workflow ADD COLUMN folder_id text;
ALTER TABLE workflow
    ADD CONSTRAINT workflow_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES folder(id) ON UPDATE CASCADE ON DELETE SET NULL;
CREATE INDEX workflow_folder_id_idx ON workflow (folder_id);

CREATE TABLE workflow_favorite (
    user_id text NOT NULL,
    workflow_id text NOT NULL,
    CONSTRAINT workflow_favorite_pkey PRIMARY KEY (user_id, workflow_id)
);
CREATE INDEX workflow_favorite_workflow_id_idx ON workflow_favorite (workflow_id);
ALTER TABLE workflow_favorite
    ADD CONSTRAINT workflow_favorite_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE workflow_favorite
    ADD CONSTRAINT workflow_favorite_workflow_id_fkey FOREIGN KEY (workflow_id) REFERENCES workflow(id) ON UPDATE CASCADE ON DELETE CASCADE;
