-- The webhook, schedule or form that started a run: {id, name}, as it was then.
ALTER TABLE execution ADD COLUMN triggered_by json;
