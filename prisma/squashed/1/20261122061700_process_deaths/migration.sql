-- A run whose worker process died is tried again alone. `claims` is no longer used; it stays for processes of the
-- version before, which may still run during an upgrade.
ALTER TABLE "execution" ADD COLUMN     "deaths" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "died_at" TIMESTAMPTZ(3),
ADD COLUMN     "is_alone" BOOLEAN NOT NULL DEFAULT false;

-- The queue of the runs that go alone, and the runs under which a process died lately.
CREATE INDEX "execution_alone_idx" ON "execution"("workspace_id", "available_at") WHERE "worker_id" IS NULL AND "available_at" IS NOT NULL AND "is_alone";
CREATE INDEX "execution_died_at_idx" ON "execution"("died_at") WHERE "died_at" IS NOT NULL;
