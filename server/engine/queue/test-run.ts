import type { NodeMocks } from '@/contract/workflows/workflow-test';
import { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { NOTIFY_CHANNELS } from '@/server/platform/db/notify-channels';
import { runAbilitiesSql } from '@/server/workflow/definition/abilities';
import { takeRunQuota } from './admission/run-quota';

/** A run for a test: it calls no external service, starts no error workflow and stores no alert event. */
export interface NewTestRun {
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  /** The start node at which it begins; null: every start node. */
  startNodeId: string | null;
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
  const { workspaceId, workflowId, workflowVersion, startNodeId, createdBy, replayOf } = run;
  await db.$queryRaw`
    WITH stored AS (
      INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, created_by,
        created_at, started_at, rerun_of, start_node_id, override, required_abilities)
      SELECT ${id}, ${workspaceId}, run.workflow_id, run.workflow_version, 'pending', 'test', ${JSON.stringify(run.input)}::json,
        ${createdBy}, ${at}, ${at}, ${replayOf}, run.start_node_id, ${JSON.stringify({ mocks: run.mocks })}::json,
        ${Prisma.raw(runAbilitiesSql('run'))}
      FROM (SELECT ${workflowId}::text AS workflow_id, ${workflowVersion}::int AS workflow_version,
        ${startNodeId}::text AS start_node_id) run
    )
    SELECT count(pg_notify(${NOTIFY_CHANNELS.work}, ''))::int`;
  return id;
}
