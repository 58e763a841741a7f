import type { ExecutionStatus, RunError, Trigger } from '@/contract/execution';
import type { Db } from '@/server/db/client';

/** A run that has ended, with what is needed for all that follows. */
export interface EndedRun {
  id: string;
  workspaceId: string;
  workflowId: string;
  workflowName: string;
  status: ExecutionStatus;
  trigger: Trigger;
  error: RunError | null;
  startedAt: Date;
  completedAt: Date;
  /** How the run at the top of those above it was started. */
  rootTrigger: Trigger;
  ofWorkflow: ErrorSetting;
  ofWorkspace: ErrorSetting;
}

/** What the settings of a workflow or workspace say of errors. */
export interface ErrorSetting {
  errorWorkflowId?: string | null;
  /** The person who named it. */
  errorWorkflowBy?: string;
}

/** Null: it was deleted. */
export async function findEnded(db: Db, executionId: string): Promise<EndedRun | null> {
  const [row] = await db.$queryRaw<EndedRun[]>`
    SELECT e.id, e.workspace_id AS "workspaceId", e.workflow_id AS "workflowId", w.name AS "workflowName", e.status, e.trigger,
      e.error, e.started_at AS "startedAt", e.completed_at AS "completedAt", coalesce(root.trigger, e.trigger) AS "rootTrigger",
      w.settings AS "ofWorkflow", s.settings AS "ofWorkspace"
    FROM execution e JOIN workflow w ON w.id = e.workflow_id JOIN workspace s ON s.id = e.workspace_id
    LEFT JOIN execution root ON root.id = e.root_id
    WHERE e.id = ${executionId} AND e.completed_at IS NOT NULL`;
  return row ?? null;
}
