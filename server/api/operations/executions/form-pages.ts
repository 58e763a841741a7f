import { z } from 'zod';
import { ListOpenFormPagesResponse } from '@/contract/triggers/form-page';
import { defineOperation, memberAccess } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { buildFormRunUrl } from '@/server/engine/attempt/form-run-link';
import { readFormRun } from '@/server/engine/queue/form-run';
import { notFoundProblem } from '@/server/platform/errors/problem';

const listOpenFormPagesOperation = defineOperation({
  id: 'executions.listPages',
  method: 'GET',
  path: '/api/executions/{id}/pages',
  summary: 'List the pages that an execution waits for',
  description:
    'The pages of `form_page` nodes that are not filled in, each with the address at which it is, without a sign-in: for a run ' +
    'that no form started, and for tests.',
  tag: 'Executions',
  access: memberAccess('execution', 'resume'),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(ListOpenFormPagesResponse),
  async run({ caller: { workspaceId } }, { params: { id: executionId } }) {
    const run = await readFormRun({ executionId });
    if (run?.workspaceId !== workspaceId) throw notFoundProblem('The execution');
    const open = run.pages.filter(({ isOpen }) => isOpen);
    return {
      data: open.map(({ nodeId, content, expiresAt }) => ({
        nodeId,
        title: content.title ?? '',
        url: buildFormRunUrl({ executionId, nodeId }),
        expiresAt: expiresAt?.toISOString() ?? null,
      })),
    };
  },
});

export const executionPageOperations = [listOpenFormPagesOperation];
