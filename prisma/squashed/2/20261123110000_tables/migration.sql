-- Tables of workspaces. The rows of each are in a table of its own, which the service creates under the id of the row here.
CREATE TABLE data_table (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    columns json NOT NULL,
    next_column integer NOT NULL,
    indexes text[] DEFAULT ARRAY[]::text[],
    is_indexed boolean DEFAULT true NOT NULL,
    analyzed_rows bigint DEFAULT 0 NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT data_table_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX data_table_workspace_id_name_key ON data_table (workspace_id, name);
ALTER TABLE data_table
    ADD CONSTRAINT data_table_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- What each change adds to the number and size of a table's rows.
CREATE TABLE data_table_tally (
    id bigserial NOT NULL,
    table_id text NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT data_table_tally_pkey PRIMARY KEY (id)
);
CREATE INDEX data_table_tally_table_id_idx ON data_table_tally (table_id);
ALTER TABLE data_table_tally
    ADD CONSTRAINT data_table_tally_table_id_fkey FOREIGN KEY (table_id) REFERENCES data_table(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- The rows go with their table, however that is removed.
CREATE FUNCTION drop_data_table() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS %I', OLD.id);
  RETURN NULL;
END $$;
CREATE TRIGGER data_table_dropped AFTER DELETE ON data_table FOR EACH ROW EXECUTE FUNCTION drop_data_table();
