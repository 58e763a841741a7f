import type { WorkflowDraft, Workflow } from '@/contract/workflow';
import type { Workflow as Row } from '@/generated/prisma/client';
import type { Db } from '../db/client';
import { newOrderedId } from '../db/ids';
import { shown, stored, type Content } from './workflow-content';

/** The number of the next version: of a workflow that is held, so that no two get the same. */
export async function nextVersion(db: Db, workflowId: string): Promise<number> {
  const { _max } = await db.workflowVersion.aggregate({ where: { workflowId }, _max: { version: true } });
  return (_max.version ?? 0) + 1;
}

/** Keeps some content for good, as a version of the workflow. */
export async function freeze(
  db: Db,
  workflowId: string,
  { version, name, description, definition }: Content & Pick<Workflow, 'version'>,
  { message, createdBy }: { message: string; createdBy: string },
): Promise<void> {
  const content = { name, description, definition: stored(definition) };
  await db.workflowVersion.create({
    data: { id: newOrderedId('wfv'), workflowId, version, ...content, message, createdBy },
  });
}

/** Remembers since when triggers run the current version. A draft's versions are not published. */
export async function markPublished(db: Db, { id: workflowId, version, status }: Row): Promise<void> {
  if (status === 'draft') return;
  const where = { workflowId, version, publishedAt: null };
  await db.workflowVersion.updateMany({ where, data: { publishedAt: new Date() } });
}

/** The workflow as it was saved last, be it published or not. */
export async function lastSaved(db: Db, row: Row): Promise<WorkflowDraft> {
  const live = { ...shown(row), liveVersion: row.version };
  if (row.draftVersion === null) return live;
  const { version, name, description, definition } = await db.workflowVersion.findUniqueOrThrow({
    where: { workflowId_version: { workflowId: row.id, version: row.draftVersion } },
  });
  return { ...live, version, name, description, definition: definition as Content['definition'] };
}
