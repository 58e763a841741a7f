-- Files: their rows, the executions that name them, and when to look whether one is still needed.
-- Rows outlive their workspace until their bytes are removed, so there is no foreign key to it.
CREATE TABLE file (
    id text NOT NULL,
    workspace_id text NOT NULL,
    name text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    stored_at timestamp(3) with time zone,
    removed_at timestamp(3) with time zone,
    CONSTRAINT file_pkey PRIMARY KEY (id)
);
CREATE INDEX file_workspace_id_idx ON file (workspace_id);
CREATE INDEX file_removed_at_idx ON file (removed_at);

CREATE TABLE file_use (
    execution_id text NOT NULL,
    file_id text NOT NULL,
    CONSTRAINT file_use_pkey PRIMARY KEY (execution_id, file_id)
);
CREATE INDEX file_use_file_id_idx ON file_use (file_id);
ALTER TABLE file_use
    ADD CONSTRAINT file_use_execution_id_fkey FOREIGN KEY (execution_id) REFERENCES execution(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE file_use
    ADD CONSTRAINT file_use_file_id_fkey FOREIGN KEY (file_id) REFERENCES file(id) ON UPDATE CASCADE ON DELETE CASCADE;

CREATE TABLE file_check (
    id bigserial NOT NULL,
    file_id text NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT file_check_pkey PRIMARY KEY (id)
);
CREATE INDEX file_check_due_at_idx ON file_check (due_at);

-- Bytes of the files of each workspace, for its quota.
CREATE TABLE file_tally (
    workspace_id text NOT NULL,
    bytes bigint NOT NULL,
    CONSTRAINT file_tally_pkey PRIMARY KEY (workspace_id)
);
ALTER TABLE file_tally
    ADD CONSTRAINT file_tally_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

-- Whether JSON may name files. Cheap: it is asked for every input and output that is stored.
CREATE FUNCTION names_files(value json) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT strpos(value::text, '"$file"') > 0
$$;

-- Records which files of its workspace an execution names, in the transaction that stores the value. Ids of other workspaces are ignored. The
-- lock waits for a removal that is under way; the order prevents deadlocks.
CREATE FUNCTION note_files(execution text, workspace text, value json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO file_use (execution_id, file_id)
  SELECT execution, f.id FROM (
    SELECT id FROM file
    WHERE workspace_id = workspace AND stored_at IS NOT NULL AND removed_at IS NULL AND id IN (
      SELECT DISTINCT m[1] FROM regexp_matches(value::text, '"\$file" *: *"(file_[A-Za-z0-9_-]{1,64})"', 'g') AS m LIMIT 1000
    )
    ORDER BY id FOR KEY SHARE
  ) f
  ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION note_files_of_execution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_files(NEW.id, NEW.workspace_id, NEW.input);
  PERFORM note_files(NEW.id, NEW.workspace_id, NEW.override);
  RETURN NULL;
END $$;
CREATE TRIGGER execution_files AFTER INSERT OR UPDATE OF input, override ON execution FOR EACH ROW
  WHEN (names_files(NEW.input) OR names_files(NEW.override)) EXECUTE FUNCTION note_files_of_execution();

CREATE FUNCTION note_files_of_result() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspace text := (SELECT workspace_id FROM execution WHERE id = NEW.execution_id);
BEGIN
  PERFORM note_files(NEW.execution_id, workspace, NEW.output);
  PERFORM note_files(NEW.execution_id, workspace, NEW.held);
  RETURN NULL;
END $$;
CREATE TRIGGER node_result_files AFTER INSERT OR UPDATE OF output, held ON node_result FOR EACH ROW
  WHEN (names_files(NEW.output) OR names_files(NEW.held)) EXECUTE FUNCTION note_files_of_result();

-- A file that lost a use may have lost its last one.
CREATE FUNCTION check_unused_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_check (file_id) VALUES (OLD.file_id);
  RETURN NULL;
END $$;
CREATE TRIGGER file_use_removed AFTER DELETE ON file_use FOR EACH ROW EXECUTE FUNCTION check_unused_file();
