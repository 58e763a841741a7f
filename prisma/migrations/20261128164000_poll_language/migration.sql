-- The language of a poll's expressions. Processes of the earlier release do not write it: their polls are in JSONata.
ALTER TABLE "poll" ADD COLUMN "language" TEXT NOT NULL DEFAULT 'jsonata';
