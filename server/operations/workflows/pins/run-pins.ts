import type { Definition } from '@/contract/workflows/workflow';
import type { Caller } from '@/server/access/caller';
import type { Subject } from '@/server/access/conditions';
import { requirePermission } from '@/server/access/require';
import type { Db } from '@/server/db/client';
import { invalidField } from '@/server/errors/problem';
import { pinsForRun } from '@/server/workflow/pins';

/** Throws unless the caller may replace outputs of nodes in a run: only those who may change the workflow. */
export function requirePinning(caller: Caller, workflow: Subject): void {
  requirePermission(caller, 'workflow', 'update', workflow);
}

/**
 * The pins that are stored with a workflow, as a run of its last saved version uses them. `run`: ids of nodes that run although they are
 * pinned. Throws 400 for a run of another version.
 */
export async function storedPins(
  db: Db,
  { workflowId, definition, useLatest }: { workflowId: string; definition: Definition; useLatest: boolean },
  run: readonly (string | null)[],
): Promise<Readonly<Record<string, unknown>>> {
  if (!useLatest) throw invalidField('usePins', 'needs useLatest: pins are for test runs of the last saved version');
  const rows = await db.workflowPin.findMany({ where: { workflowId }, select: { nodeId: true, output: true } });
  const others = rows.filter(({ nodeId }) => !run.includes(nodeId));
  return pinsForRun(definition, Object.fromEntries(others.map(({ nodeId, output }) => [nodeId, output])));
}
