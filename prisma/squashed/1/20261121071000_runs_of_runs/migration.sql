-- What a node under way must find again takes the place of a column that nothing ever used.
ALTER TABLE "node_result" DROP COLUMN "input",
ADD COLUMN     "held" JSON;

ALTER TABLE "execution" ADD COLUMN     "depth" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "is_awaited" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "override" JSON,
ADD COLUMN     "parent_attempt" INTEGER,
ADD COLUMN     "parent_id" TEXT,
ADD COLUMN     "parent_node" TEXT,
ADD COLUMN     "rerun_of" TEXT;

-- One child for each try of a node, however often the try is made.
CREATE UNIQUE INDEX "execution_child_key" ON "execution"("parent_id", "parent_node", "parent_attempt") WHERE "parent_id" IS NOT NULL;
-- The parents that wait for a child: few, whatever there is of finished runs.
CREATE INDEX "node_result_child_idx" ON "node_result"(("held" ->> 'childId')) WHERE "status" = 'running' AND ("held" ->> 'childId') IS NOT NULL;
-- Children that somebody waits for, while they go on.
CREATE INDEX "execution_awaited_idx" ON "execution"("parent_id") WHERE "is_awaited" AND "status" NOT IN ('completed', 'failed');
