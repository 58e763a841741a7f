-- The queue by workspace: a claim hops from one waiting workspace to the next and takes each one's oldest runs.
DROP INDEX "execution_claimable_idx";
CREATE INDEX "execution_queue_idx" ON "execution"("workspace_id", "available_at") WHERE "worker_id" IS NULL AND "available_at" IS NOT NULL;
