import type { NodeMocks } from '@/contract/workflows/workflow-test';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { takeRunQuota } from './admission/run-quota';

/** A run for a test: it calls no external service, starts no error workflow and stores no alert event. */
export interface NewTestRun {
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  input: unknown;
  mocks: NodeMocks;
  createdBy: string;
  /** The run whose data it replays; null: none. */
  replayOf: string | null;
}

/** Stores a run for a test, with or without a transaction. Returns its id. Throws when the quota of runs is used up. */
export async function submitTestRun(db: DatabaseClient, run: NewTestRun): Promise<string> {
  await takeRunQuota(run.workspaceId);
  const id = generateOrderedId('exec');
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
    SELECT count(pg_notify(${NOTIFY_CHANNELS.work}, ''))::int`;
  return id;
}
