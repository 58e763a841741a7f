-- Files that rows of tables name. Triggers on tables with JSON columns write these rows with the values.
CREATE TABLE row_file_use (
    table_id text NOT NULL,
    row_id text NOT NULL,
    column_id text NOT NULL,
    file_id text NOT NULL,
    CONSTRAINT row_file_use_pkey PRIMARY KEY (table_id, row_id, column_id, file_id)
);
CREATE INDEX row_file_use_file_id_idx ON row_file_use (file_id);
ALTER TABLE row_file_use
    ADD CONSTRAINT row_file_use_table_id_fkey FOREIGN KEY (table_id) REFERENCES data_table(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE row_file_use
    ADD CONSTRAINT row_file_use_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- A file that lost a use may have lost its last one.
CREATE TRIGGER row_file_use_removed AFTER DELETE ON row_file_use FOR EACH ROW EXECUTE FUNCTION check_unused_file();

-- Whether a cell may name files. Cheap: it is asked for every JSON cell that is stored.
CREATE FUNCTION cell_names_files(cell jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT cell IS NOT NULL AND strpos(cell::text, '"$file"') > 0
$$;

-- The JSON columns of a table of a workspace.
CREATE FUNCTION json_columns_of(a_table text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT one->>'id' FROM data_table t, json_array_elements(t.columns) AS one WHERE t.id = a_table AND one->>'type' = 'json'
$$;

-- The statement that records which files of its workspace the cells of a column name, in the transaction that stores them. Ids of other workspaces are ignored. The
-- lock waits for a removal that is under way; the order prevents deadlocks. `source`: a table of rows, which a
-- function called by a trigger would not see.
CREATE FUNCTION note_files_sql(a_table text, a_column text, source text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format($sql$
    WITH named AS MATERIALIZED (
      SELECT DISTINCT r.id AS row_id, m[1] AS file_id
      FROM %3$I r, regexp_matches(r.%2$I::text, '"\$file": "(file_[A-Za-z0-9_-]{1,64})"', 'g') AS m WHERE cell_names_files(r.%2$I)
    ),
    kept AS MATERIALIZED (
      SELECT id FROM file
      WHERE workspace_id = (SELECT workspace_id FROM data_table WHERE id = %1$L) AND stored_at IS NOT NULL AND removed_at IS NULL
        AND id IN (SELECT file_id FROM named)
      ORDER BY id FOR KEY SHARE
    )
    INSERT INTO row_file_use (table_id, row_id, column_id, file_id)
    SELECT %1$L, named.row_id, %2$L, kept.id FROM named JOIN kept ON kept.id = named.file_id
    ON CONFLICT DO NOTHING
  $sql$, a_table, a_column, source)
$$;

-- The table has the id of its row in data_table as its name.
CREATE FUNCTION note_files_of_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  col text;
  has_uses boolean := TG_OP <> 'INSERT' AND EXISTS (SELECT FROM row_file_use WHERE table_id = TG_TABLE_NAME);
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF has_uses THEN
      DELETE FROM row_file_use u USING rows_before r WHERE u.table_id = TG_TABLE_NAME AND u.row_id = r.id;
    END IF;
    RETURN NULL;
  END IF;
  FOR col IN SELECT json_columns_of(TG_TABLE_NAME) LOOP
    IF has_uses THEN
      EXECUTE format($sql$
        DELETE FROM row_file_use u USING rows_after r
        WHERE u.table_id = %1$L AND u.column_id = %2$L AND u.row_id = r.id
          AND (r.%2$I IS NULL OR strpos(r.%2$I::text, '"$file": "' || u.file_id || '"') = 0)
      $sql$, TG_TABLE_NAME, col);
    END IF;
    EXECUTE note_files_sql(TG_TABLE_NAME, col, 'rows_after');
  END LOOP;
  RETURN NULL;
END $$;

-- Makes a table with JSON columns count the files that its rows name; nothing for others. May be repeated.
CREATE FUNCTION watch_row_files(a_table text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT json_columns_of(a_table)) OR to_regclass(quote_ident(a_table)) IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE OR REPLACE TRIGGER files_inserted AFTER INSERT ON %I REFERENCING NEW TABLE AS rows_after
    FOR EACH STATEMENT EXECUTE FUNCTION note_files_of_rows()', a_table);
  EXECUTE format('CREATE OR REPLACE TRIGGER files_changed AFTER UPDATE ON %I REFERENCING NEW TABLE AS rows_after
    FOR EACH STATEMENT EXECUTE FUNCTION note_files_of_rows()', a_table);
  EXECUTE format('CREATE OR REPLACE TRIGGER files_removed AFTER DELETE ON %I REFERENCING OLD TABLE AS rows_before
    FOR EACH STATEMENT EXECUTE FUNCTION note_files_of_rows()', a_table);
END $$;

-- Columns that are added or removed, by any release.
CREATE FUNCTION watch_changed_columns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM row_file_use WHERE table_id = NEW.id AND column_id NOT IN (SELECT json_columns_of(NEW.id));
  PERFORM watch_row_files(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER data_table_columns_changed AFTER UPDATE OF columns ON data_table FOR EACH ROW
  WHEN (OLD.columns::text <> NEW.columns::text) EXECUTE FUNCTION watch_changed_columns();

-- Tables that exist. Their rows count from now on.
DO $$
DECLARE
  a_table text;
  col text;
BEGIN
  FOR a_table IN SELECT id FROM data_table WHERE to_regclass(quote_ident(id)) IS NOT NULL LOOP
    PERFORM watch_row_files(a_table);
    FOR col IN SELECT json_columns_of(a_table) LOOP
      EXECUTE note_files_sql(a_table, col, a_table);
    END LOOP;
  END LOOP;
END $$;
