import type { FormField } from '@/contract/triggers/form-fields';
import type { DatabaseClient } from '@/server/platform/db/client';

/** An approval that a run has reached. */
export interface ReachedApproval {
  workspaceId: string;
  workflow: string;
  message: string;
  /** The users who may decide, besides admins and owners; empty: every member who may resume runs. */
  assignees: string[];
  /** The fields that the person who decides fills in. */
  fields: FormField[];
  /** True while the approval waits for a decision and its run is not cancelled. */
  isOpen: boolean;
}

/** The approval at a node's path; null: there is none, or the run has not reached it. `workspaceId` null: any. */
export async function findApproval(
  db: DatabaseClient,
  workspaceId: string | null,
  executionId: string,
  nodeId: string,
): Promise<ReachedApproval | null> {
  const [row] = await db.$queryRaw<
    (Omit<ReachedApproval, 'message' | 'assignees' | 'fields'> & { held: Partial<ReachedApproval> | null })[]
  >`
    SELECT e.workspace_id AS "workspaceId", w.name AS workflow, r.held,
      r.status = 'paused' AND e.status NOT IN ('completed', 'failed') AND e.cancel_requested_at IS NULL AS "isOpen"
    FROM node_result r JOIN execution e ON e.id = r.execution_id JOIN workflow w ON w.id = e.workflow_id
    WHERE e.id = ${executionId} AND r.node_id = ${nodeId} AND (${workspaceId}::text IS NULL OR e.workspace_id = ${workspaceId})`;
  if (!row) return null;
  const { held, ...rest } = row;
  return { ...rest, message: held?.message ?? '', assignees: held?.assignees ?? [], fields: held?.fields ?? [] };
}
