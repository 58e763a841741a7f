-- Viewers of a workflow: the table has the name that the code uses.
ALTER TABLE visit RENAME TO presence;
ALTER TABLE presence RENAME CONSTRAINT visit_pkey TO presence_pkey;
ALTER TABLE presence RENAME CONSTRAINT visit_user_id_fkey TO presence_user_id_fkey;
ALTER TABLE presence RENAME CONSTRAINT visit_workflow_id_fkey TO presence_workflow_id_fkey;
ALTER INDEX visit_user_id_idx RENAME TO presence_user_id_idx;
ALTER INDEX visit_workflow_id_idx RENAME TO presence_workflow_id_idx;
