-- The last time of a schedule that passed without its run, and why.
ALTER TABLE schedule ADD COLUMN last_missed_at timestamp(3) with time zone;
ALTER TABLE schedule ADD COLUMN last_missed_reason text;
