import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { AccessSubject } from '@/server/people/access/conditions';
import { requirePermission } from '@/server/people/access/require';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { pinsForRun } from '@/server/workflow/definition/pins';

/** Throws unless the caller may replace outputs of nodes in a run: only those who may change the workflow. */
export function requirePinPermission(caller: WorkspaceCaller, workflow: AccessSubject): void {
  requirePermission(caller, 'workflow', 'update', workflow);
}

/**
 * Reads the stored pins of a workflow for a run of its last saved version. The nodes in `run` run although they are
 * pinned. Throws 400 for a run of another version.
 */
export async function readPinsForRun(
  db: DatabaseClient,
  { workflowId, definition, useLatest }: { workflowId: string; definition: WorkflowDefinition; useLatest: boolean },
  run: readonly (string | null)[],
): Promise<Readonly<Record<string, unknown>>> {
  if (!useLatest)
    throw invalidFieldProblem('usePins', 'needs useLatest: pins are for test runs of the last saved version');
  const rows = await db.workflowPin.findMany({ where: { workflowId }, select: { nodeId: true, output: true } });
  const others = rows.filter(({ nodeId }) => !run.includes(nodeId));
  return pinsForRun(definition, Object.fromEntries(others.map(({ nodeId, output }) => [nodeId, output])));
}
