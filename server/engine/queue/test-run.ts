import type { Mocks } from '@/contract/workflows/workflow-test';
import type { Db } from '@/server/db/client';
import { newOrderedId } from '@/server/db/ids';
import { CHANNELS } from '@/server/db/notify-channels';
import { takeRunQuota } from './admission/run-quota';

/** A run for a test: it calls nothing outside, starts no error workflow and tells no alert. */
export interface TestRun {
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  input: unknown;
  mocks: Mocks;
  createdBy: string;
  /** The run whose data it replays; null: none. */
  replayOf: string | null;
}

/** Stores a run for a test, within a transaction or for itself. Returns its id. Throws when the quota of runs is used up. */
export async function submitTestRun(db: Db, run: TestRun): Promise<string> {
  await takeRunQuota(run.workspaceId);
  const id = newOrderedId('exec');
  const at = new Date();
  const { workspaceId, workflowId, workflowVersion, createdBy, replayOf } = run;
  await db.$queryRaw`
    WITH stored AS (
      INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by,
        created_at, started_at, rerun_of, override, required_abilities)
      VALUES (${id}, ${workspaceId}, ${workflowId}, ${workflowVersion}::int, 'pending', 'test', ${JSON.stringify(run.input)}::json,
        ${createdBy}, ${at}, ${at}, ${replayOf}, ${JSON.stringify({ mocks: run.mocks })}::json,
        coalesce((SELECT v.required_abilities FROM workflow_version v
          WHERE v.workflow_id = ${workflowId} AND v.version = ${workflowVersion}::int), 0))
    )
    SELECT count(pg_notify(${CHANNELS.work}, ''))::int`;
  return id;
}
