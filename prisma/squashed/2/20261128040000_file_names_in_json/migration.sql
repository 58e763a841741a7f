-- JSON can write the same key in many ways: each character of "$file" and of the id as \u and four digits, and any white space around the
-- colon. A quote inside a text is escaped, so no text contains what these patterns look for.

-- Whether JSON may name files. Cheap: it is asked for every input and output that is stored.
CREATE OR REPLACE FUNCTION names_files(value json) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT strpos(value::text, '"$file"') > 0 OR (strpos(value::text, '\u00') > 0
    AND value::text ~ '"(?:\$|\\u0024)(?:f|\\u0066)(?:i|\\u0069)(?:l|\\u006[cC])(?:e|\\u0065)"')
$$;

-- The ids that JSON gives for the key $file, as it is when it is parsed.
CREATE FUNCTION files_named(value json) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT DISTINCT named.id FROM regexp_matches(value::text,
    '"(?:\$|\\u0024)(?:f|\\u0066)(?:i|\\u0069)(?:l|\\u006[cC])(?:e|\\u0065)"\s*:\s*("(?:[A-Za-z0-9_-]|\\u00[2-7][0-9a-fA-F]){6,69}")', 'g') AS m,
    LATERAL (SELECT m[1]::json #>> '{}' AS id) named
  WHERE named.id ~ '^file_[A-Za-z0-9_-]{1,64}$'
$$;

CREATE OR REPLACE FUNCTION note_files(execution text, workspace text, value json) RETURNS void LANGUAGE sql AS $$
  INSERT INTO file_use (execution_id, file_id)
  SELECT execution, f.id FROM (
    SELECT id FROM file
    WHERE workspace_id = workspace AND stored_at IS NOT NULL AND removed_at IS NULL
      AND id IN (SELECT named FROM files_named(value) AS named LIMIT 1000)
    ORDER BY id FOR KEY SHARE
  ) f
  ON CONFLICT DO NOTHING
$$;
