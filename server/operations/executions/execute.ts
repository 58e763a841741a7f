import { z } from 'zod';
import { Accepted, ExecuteRequest, Execution } from '@/contract/execution';
import { CustomReply, operation } from '@/server/api/operation';
import { readExecution } from '@/server/engine/report/report';
import { partOf } from '@/server/workflow/part';
import { submit } from '@/server/engine/queue/submit';
import { inputIssues } from '@/server/nodes/flow/start';
import { requireFit, requireReady, findWorkflow, presentWorkflow } from '../workflows/content';
import { preferredWait, waitForEnd } from './waiting';
import { lastSaved } from '../workflows/drafts/version-rows';

export const execute = operation({
  id: 'workflows.execute',
  method: 'POST',
  path: '/api/workflows/{id}/execute',
  summary: 'Run a workflow',
  description:
    'Answers once the run is stored; read its progress under `/api/executions/{executionId}`. With ' +
    '`untilNodeId` it runs up to that node and no further; with `useLatest` it runs changes that are not published yet. ' +
    'Credentials and other workflows are used with the permissions of the user who published the version, or saved it if ' +
    'it is not published: without them the node fails with the code FORBIDDEN.\n\n' +
    'With `Prefer: wait=<seconds>` (RFC 7240; 1 to 60) it answers 200 with the execution if that ends in time, else as without. ' +
    'The preference is ignored together with an `Idempotency-Key`, and when too many callers wait.',
  tag: 'Workflows',
  access: { resource: 'workflow', action: 'execute' },
  effect: 'submit',
  params: z.strictObject({ id: z.string() }),
  body: ExecuteRequest,
  output: Accepted,
  status: 202,
  prefersWait: 'Execution',
  audit: 'resource_access',
  async run(call, { params: { id }, body: { input, untilNodeId = null, useLatest } }) {
    const { db, caller } = call;
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    const { version, definition } = useLatest ? await lastSaved(db, workflow) : presentWorkflow(workflow);
    await requireReady(db, caller.workspaceId, definition, untilNodeId);
    requireFit(await inputIssues(partOf(definition, untilNodeId), input, { workspaceId: caller.workspaceId }));
    const run = {
      workspaceId: caller.workspaceId,
      workflowId: id,
      workflowVersion: version,
      trigger: 'manual',
      input,
      createdBy: caller.userId,
      untilNodeId,
    } as const;
    const waitSeconds = preferredWait(call);
    const waiting = waitSeconds === null ? undefined : waitForEnd(call, waitSeconds);
    const along = { audit: call.auditEntry(), db: call.inTransaction ? db : undefined, caller: waiting };
    const accepted = await submit(run, along).catch((error: unknown) => {
      waiting?.leave();
      throw error;
    });
    const end = await waiting?.wait(true);
    const execution = end?.kind === 'end' ? await readExecution(caller.workspaceId, accepted.executionId) : null;
    if (execution) {
      return new CustomReply(
        200,
        { 'Preference-Applied': `wait=${waitSeconds}` },
        { body: Execution.parse(execution) },
      );
    }
    return { status: 'pending' as const, ...accepted };
  },
});
