import type { WorkflowDraft, WorkflowResponse } from '@/contract/workflows/workflow';
import type { Workflow as Row } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { requiredAbilities } from '@/server/workflow/definition/abilities';
import { removeStalePins } from '@/server/workflow/definition/pins';
import { notifyWorkflowSaved } from '@/server/workflow/definition/stored-parts';
import { requireVersionQuota } from '@/server/platform/quotas/versions';
import { toWorkflowResponse, toDefinitionJson, type WithoutFavorite, type WorkflowContent } from '../workflow-rows';

/** The number of the next version. The workflow must be locked, so that numbers are unique. */
export async function nextVersionNumber(db: DatabaseClient, workflowId: string): Promise<number> {
  const { _max } = await db.workflowVersion.aggregate({ where: { workflowId }, _max: { version: true } });
  return (_max.version ?? 0) + 1;
}

/**
 * Stores content as an immutable version of the workflow. It takes the place of what its author could not save because
 * of errors.
 */
export async function storeWorkflowVersion(
  db: DatabaseClient,
  {
    id: workflowId,
    version,
    name,
    description,
    definition,
  }: WorkflowContent & Pick<WorkflowResponse, 'id' | 'version'>,
  { message, createdBy, authorizedBy }: { message: string; createdBy: string; authorizedBy: string },
): Promise<void> {
  const content = {
    name,
    description,
    definition: toDefinitionJson(definition),
    requiredAbilities: requiredAbilities(definition),
  };
  await requireVersionQuota(db, workflowId);
  await db.workflowVersion.create({
    data: { id: generateOrderedId('wfv'), workflowId, version, ...content, message, createdBy, authorizedBy },
  });
  await db.invalidDraft.deleteMany({ where: { workflowId, userId: createdBy } });
  await removeStalePins(db, workflowId, definition);
  await notifyWorkflowSaved(db, workflowId);
}

/** Records whose permissions the runs of a version use from now on. */
export async function setVersionAuthority(
  db: DatabaseClient,
  { id: workflowId, version }: Row,
  authorizedBy: string,
): Promise<void> {
  await db.workflowVersion.updateMany({ where: { workflowId, version }, data: { authorizedBy } });
}

/** Records when the current version was published. A draft's versions are not published. */
export async function markVersionPublished(
  db: DatabaseClient,
  { id: workflowId, version, status }: Row,
): Promise<void> {
  if (status === 'draft') return;
  const where = { workflowId, version, publishedAt: null };
  await db.workflowVersion.updateMany({ where, data: { publishedAt: new Date() } });
}

/** The latest saved version of the workflow, published or not. */
export async function readLastSavedVersion(db: DatabaseClient, row: Row): Promise<WithoutFavorite<WorkflowDraft>> {
  const live = { ...toWorkflowResponse(row), liveVersion: row.version };
  if (row.draftVersion === null) return live;
  const { version, name, description, definition } = await db.workflowVersion.findUniqueOrThrow({
    where: { workflowId_version: { workflowId: row.id, version: row.draftVersion } },
  });
  return { ...live, version, name, description, definition: definition as WorkflowContent['definition'] };
}
