-- How a delivery is answered; null: with the id of its run, at once.
ALTER TABLE "webhook" ADD COLUMN "response" JSON;

-- The answer of a run to the caller that waits for it: that of the first `respond` node.
CREATE TABLE "execution_answer" (
    "execution_id" TEXT NOT NULL,
    "answer" JSON NOT NULL,

    CONSTRAINT "execution_answer_pkey" PRIMARY KEY ("execution_id")
);

ALTER TABLE "execution_answer" ADD CONSTRAINT "execution_answer_execution_id_fkey" FOREIGN KEY ("execution_id") REFERENCES "execution"("id") ON DELETE CASCADE ON UPDATE CASCADE;
