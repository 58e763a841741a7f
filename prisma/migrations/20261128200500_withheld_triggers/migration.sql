-- During a rolling upgrade, processes of the release before leave polls and schedules alone that they would misread: polls in JavaScript, which they
-- would read as JSONata (ability 4 of `server/workflow/definition/abilities.ts`), and triggers with a start node, which they would ignore (16).

-- A process says what it knows at the beginning of the token of its lease: `20~…`. Tokens of the release before have none.
CREATE FUNCTION withhold_poll() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  required integer := CASE WHEN NEW.language = 'jsonata' THEN 0 ELSE 4 END | CASE WHEN NEW.start_node_id IS NULL THEN 0 ELSE 16 END;
BEGIN
  IF required & ~coalesce(substring(NEW.lease_token FROM '^(\d{1,9})~')::integer, 0) <> 0 THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER poll_withheld BEFORE UPDATE OF lease_token ON poll FOR EACH ROW
  WHEN (NEW.lease_token IS NOT NULL AND NEW.lease_token IS DISTINCT FROM OLD.lease_token AND (NEW.language <> 'jsonata' OR NEW.start_node_id IS NOT NULL))
  EXECUTE FUNCTION withhold_poll();

-- The time that was due when a process last advanced the schedule. The release before does not write it, and changes of the settings write `updated_at`.
ALTER TABLE schedule ADD COLUMN advanced_from timestamptz(3);
CREATE FUNCTION withhold_tick() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
CREATE TRIGGER schedule_withheld BEFORE UPDATE OF next_run_at ON schedule FOR EACH ROW
  WHEN (NEW.start_node_id IS NOT NULL AND NEW.updated_at = OLD.updated_at AND coalesce(NEW.next_run_at > OLD.next_run_at, true)
    AND NEW.advanced_from IS DISTINCT FROM OLD.next_run_at)
  EXECUTE FUNCTION withhold_tick();
