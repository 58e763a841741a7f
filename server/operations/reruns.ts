import { z } from 'zod';
import { Accepted, RerunRequest } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import type { Definition } from '@/contract/workflow';
import { operation } from '../api/operation';
import { conflict, invalidField, notFound } from '../api/problem';
import type { Db } from '../db/client';
import { partOf } from '../engine/part';
import { rerun as repeat } from '../engine/rerun';
import { inputIssues } from '../nodes/start';
import { requireFit, requireReady } from './workflow-content';
import { lastSaved } from './workflow-versions';

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is to be run: the version that ran, or the workflow as it was saved last. */
async function content(db: Db, workflowId: string, version: number, useLatest: boolean) {
  if (useLatest) return lastSaved(db, await db.workflow.findUniqueOrThrow({ where: { id: workflowId } }));
  return await db.workflowVersion.findUniqueOrThrow({ where: { workflowId_version: { workflowId, version } } });
}

const rerun = operation({
  id: 'executions.rerun',
  method: 'POST',
  path: '/api/executions/{id}/rerun',
  summary: 'Run an execution again',
  description:
    'A new execution of the version that ran (`useLatest`: of the workflow as it was saved last) with the same input, or with ' +
    '`input`. With `fromNodeId` it begins there: the results of finished nodes that don’t follow from that node are ' +
    'reused, and `input` is what that node is given. With `untilNodeId` it goes no further than that node. Only ' +
    'executions that are over can be run again (else 409).',
  tag: 'Executions',
  access: { resource: 'execution', action: 'rerun' },
  effect: 'write',
  params: z.strictObject({ id: z.string() }),
  body: RerunRequest,
  output: Accepted,
  status: 202,
  audit: 'resource_access',
  async run({ db, caller, note }, { params: { id }, body }) {
    const { fromNodeId = null, input, useLatest = false } = body;
    const { workspaceId, userId: createdBy } = caller;
    const before = await db.execution.findFirst({ where: { id, workspaceId }, omit: { output: true } });
    if (!before) throw notFound('The execution');
    if (!isFinal(before.status)) throw conflict('The execution is still under way.');
    const { version: workflowVersion, ...stored } = await content(
      db,
      before.workflowId,
      before.workflowVersion,
      useLatest,
    );
    const definition = stored.definition as Definition;
    const untilNodeId = body.untilNodeId === undefined ? before.untilNodeId : body.untilNodeId;
    await requireReady(db, workspaceId, definition, untilNodeId);
    const part = partOf(definition, untilNodeId);

    if (fromNodeId !== null && !definition.nodes.some((node) => node.id === fromNodeId)) {
      throw invalidField('fromNodeId', 'is not a node of the workflow');
    }
    if (fromNodeId !== null && !part.nodes.some((node) => node.id === fromNodeId)) {
      throw invalidField('fromNodeId', `does not lead to ${untilNodeId}`);
    }
    if (fromNodeId === null) {
      if (input !== undefined && isObject(before.input) && !isObject(input))
        throw invalidField('input', 'must be an object');
      requireFit(inputIssues(part, input ?? before.input));
    }
    const asked = { workflowVersion, fromNodeId, untilNodeId, input, createdBy };
    const accepted = await repeat(db, { executionId: id, definition, ...asked });
    if (accepted === 'never-ran') throw invalidField('fromNodeId', 'never ran in this execution');
    note({ metadata: { rerun: accepted.executionId, fromNodeId, untilNodeId } });
    return { ...accepted, status: 'pending' as const };
  },
});

export const reruns = [rerun];
