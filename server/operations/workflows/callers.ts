import { z } from 'zod';
import { WorkflowCallers } from '@/contract/workflows/workflow-callers';
import { visibleTo } from '@/server/access/filter';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { findWorkflow } from './content';

/** How many workflows are looked through, and how many bytes of stored definitions, so that the statement stays short. */
const MAX_WORKFLOWS = 1000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_CALLERS = 50;

/** Ids of the workflows whose published definitions name this one, among those that changed last. */
async function callersOf(db: Db, workspaceId: string, id: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, definition, sum(pg_column_size(definition)) OVER (ORDER BY updated_at DESC, id) AS bytes
      FROM workflow WHERE workspace_id = ${workspaceId}
      ORDER BY updated_at DESC, id LIMIT ${MAX_WORKFLOWS}
    ) AS latest
    WHERE CASE WHEN bytes <= ${MAX_BYTES} AND id <> ${id}
      THEN strpos(definition::text, ${`"workflowId":${JSON.stringify(id)}`}) > 0 ELSE false END`;
  return rows.map((row) => row.id);
}

const list = operation({
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
  reply: jsonReply(WorkflowCallers),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const ids = await callersOf(db, caller.workspaceId, id);
    const data = await db.workflow.findMany({
      where: { AND: [visibleTo(caller, 'workflow'), { id: { in: ids }, workspaceId: caller.workspaceId }] },
      select: { id: true, name: true, status: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: MAX_CALLERS,
    });
    return { data: data.map(({ status, ...rest }) => ({ ...rest, status: status as 'active' })) };
  },
});

export const callers = [list];
