import { z } from 'zod';
import { ListCallersResponse } from '@/contract/workflows/workflow-callers';
import { visibleRowsFilter } from '@/server/people/access/filter';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findWorkflow } from './workflow-rows';

/** Limits on the workflows and the bytes of stored definitions that are searched, so that the statement stays short. */
const MAX_SEARCHED_WORKFLOWS = 1000;
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024;
const MAX_LISTED_CALLERS = 50;

/** Finds the ids of the workflows whose published definitions name this one, among those that changed last. */
async function findCallerIds(db: DatabaseClient, workspaceId: string, id: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, definition, sum(pg_column_size(definition)) OVER (ORDER BY updated_at DESC, id) AS bytes
      FROM workflow WHERE workspace_id = ${workspaceId}
      ORDER BY updated_at DESC, id LIMIT ${MAX_SEARCHED_WORKFLOWS}
    ) AS latest
    WHERE CASE WHEN bytes <= ${MAX_SEARCHED_BYTES} AND id <> ${id}
      THEN strpos(definition::text, ${`"workflowId":${JSON.stringify(id)}`}) > 0 ELSE false END`;
  return rows.map((row) => row.id);
}

const listCallersOperation = defineOperation({
  id: 'workflows.callers',
  method: 'GET',
  path: '/api/workflows/{id}/callers',
  summary: 'List the workflows that call a workflow',
  description:
    'Those whose published definition names it, among the 1,000 that changed last (16 MiB of definitions) and that the caller may ' +
    'read; at most 50, by name.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'read'),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(ListCallersResponse),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const ids = await findCallerIds(db, caller.workspaceId, id);
    const data = await db.workflow.findMany({
      where: { AND: [visibleRowsFilter(caller, 'workflow'), { id: { in: ids }, workspaceId: caller.workspaceId }] },
      select: { id: true, name: true, status: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: MAX_LISTED_CALLERS,
    });
    return { data: data.map(({ status, ...rest }) => ({ ...rest, status: status as 'active' })) };
  },
});

export const callerOperations = [listCallersOperation];
