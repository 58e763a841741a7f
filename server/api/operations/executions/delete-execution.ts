import { z } from 'zod';
import { isFinalStatus } from '@/contract/states';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem } from '@/server/platform/errors/problem';
import { requireVisibleRun } from './read-run';

export const deleteExecutionOperation = defineOperation({
  id: 'executions.delete',
  method: 'DELETE',
  path: '/api/executions/{id}',
  summary: 'Delete an execution for good',
  description:
    'With its data, logs and annotation. 409: it has not ended (cancel it first), or its annotation says that it is kept. ' +
    'The audit log keeps that it ran and who deleted it.',
  tag: 'Executions',
  access: memberAccess('execution', 'update'),
  effect: writeEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  async run({ db, caller, note }, { params: { id } }) {
    const { workflowId, status } = await requireVisibleRun(caller, id);
    if (!isFinalStatus(status)) throw conflictProblem('The execution has not ended. Cancel it first.');
    const { name } = await db.workflow.findUniqueOrThrow({ where: { id: workflowId }, select: { name: true } });
    note({ metadata: { name, workflowId } });
    // The lock waits for an annotation that is being stored, which the next statement sees.
    await db.$queryRaw`SELECT id FROM execution WHERE id = ${id} FOR UPDATE`;
    const { count } = await db.execution.deleteMany({
      where: { id, status: { in: ['completed', 'failed'] }, annotation: { isNot: { isKept: true } } },
    });
    if (count === 0) throw conflictProblem('The execution is kept, or runs again. Change its annotation first.');
  },
});
