-- The W3C `traceparent` of what submitted a run. Null: nothing did, or traces are not exported.
ALTER TABLE execution ADD COLUMN trace_parent text;
