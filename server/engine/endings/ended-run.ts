import type { ExecutionStatus, RunError, TriggerType } from '@/contract/execution';
import type { DatabaseClient } from '@/server/platform/db/client';

/** A run that has ended, with the data that its follow-ups need. */
export interface EndedRun {
  id: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  status: ExecutionStatus;
  trigger: TriggerType;
  error: RunError | null;
  startedAt: Date;
  completedAt: Date;
  /** The trigger of the root of its family of runs. */
  rootTrigger: TriggerType;
  ofWorkflow: ErrorWorkflowSetting;
  ofWorkspace: ErrorWorkflowSetting;
}

/** The settings of a workflow or workspace for failed runs. */
export interface ErrorWorkflowSetting {
  errorWorkflowId?: string | null;
  /** The user who chose the error workflow. */
  errorWorkflowBy?: string;
}

/** Returns null if the run was deleted. */
export async function findEndedRun(db: DatabaseClient, executionId: string): Promise<EndedRun | null> {
  const [row] = await db.$queryRaw<EndedRun[]>`
    SELECT e.id, e.workspace_id AS "workspaceId", e.workflow_id AS "workflowId", w.name AS "workflowName", e.status, e.trigger,
      e.error, e.started_at AS "startedAt", e.completed_at AS "completedAt", coalesce(root.trigger, e.trigger) AS "rootTrigger",
      w.settings AS "ofWorkflow", s.settings AS "ofWorkspace"
    FROM execution e JOIN workflow w ON w.id = e.workflow_id JOIN workspace s ON s.id = e.workspace_id
    LEFT JOIN execution root ON root.id = e.root_id
    WHERE e.id = ${executionId} AND e.completed_at IS NOT NULL`;
  return row ?? null;
}
