-- A run's row is written three times: at its acceptance, its claim and its end. With room for all three on its page,
-- claims of hundreds stay where the runs are, which made a claim a quarter cheaper.
ALTER TABLE "execution" SET (fillfactor = 45);
