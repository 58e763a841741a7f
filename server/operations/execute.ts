import { z } from 'zod';
import { Accepted, ExecuteRequest } from '@/contract/execution';
import { operation } from '../api/operation';
import { partOf } from '../engine/part';
import { submit } from '../engine/submit';
import { inputIssues } from '../nodes/start';
import { requireFit, requireReady, seen, shown } from './workflow-content';
import { lastSaved } from './workflow-versions';

export const execute = operation({
  id: 'workflows.execute',
  method: 'POST',
  path: '/api/workflows/{id}/execute',
  summary: 'Run a workflow',
  description:
    'Answers once the run is stored; read its progress under `/api/executions/{executionId}`. With ' +
    '`untilNodeId` it runs up to that node and no further; with `useLatest` it runs changes that are not published yet.',
  tag: 'Workflows',
  access: { resource: 'workflow', action: 'execute' },
  effect: 'submit',
  params: z.strictObject({ id: z.string() }),
  body: ExecuteRequest,
  output: Accepted,
  status: 202,
  audit: 'resource_access',
  async run(call, { params: { id }, body: { input, untilNodeId = null, useLatest } }) {
    const { db, caller } = call;
    const workflow = await seen(db, caller.workspaceId, id);
    const { version, definition } = useLatest ? await lastSaved(db, workflow) : shown(workflow);
    await requireReady(db, caller.workspaceId, definition, untilNodeId);
    requireFit(inputIssues(partOf(definition, untilNodeId), input));
    const run = {
      workspaceId: caller.workspaceId,
      workflowId: id,
      workflowVersion: version,
      trigger: 'manual',
      input,
      createdBy: caller.userId,
      untilNodeId,
    } as const;
    const accepted = await submit(run, { audit: call.auditEntry(), db: call.inTransaction ? db : undefined });
    return { ...accepted, status: 'pending' as const };
  },
});
