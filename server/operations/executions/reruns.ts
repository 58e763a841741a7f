import { z } from 'zod';
import { Accepted, RerunRequest } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import type { Definition } from '@/contract/workflows/workflow';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, writeEffect } from '@/server/api/operation-parts';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import type { Db } from '@/server/db/client';
import { partOf } from '@/server/workflow/part';
import { agentStepAt, rerun as repeat } from '@/server/engine/queue/rerun';
import { inputIssues } from '@/server/nodes/flow/start';
import { findWorkflow, requireFit, requireReady } from '../workflows/content';
import { lastSaved } from '../workflows/drafts/version-rows';
import { requirePinning, storedPins } from '../workflows/pins/run-pins';

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The version to run: that of the original run, or the latest saved one. */
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
    'reused, and `input` is the input of that node. It may be a step of an agent, such as `agent[2].model`: the steps before ' +
    'are reused, and `input` is what the model is told at that step. With `untilNodeId` it ends at that node. Only ' +
    'finished executions can be run again (else 409). One whose data was removed needs `input`, and no `fromNodeId`. ' +
    'Credentials and other workflows are used with the permissions of ' +
    'the user who published the version that runs, or saved it if it is not published.',
  tag: 'Executions',
  access: memberAccess('execution', 'rerun'),
  effect: writeEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(RerunRequest),
  reply: jsonReply(Accepted, { status: 202 }),
  async run({ db, caller, note }, { params: { id }, body }) {
    const { fromNodeId = null, input, useLatest = false, usePins } = body;
    const { workspaceId, userId: createdBy } = caller;
    const before = await db.execution.findFirst({ where: { id, workspaceId }, omit: { output: true } });
    if (!before) throw notFound('The execution');
    if (!isFinal(before.status)) throw conflict('The execution has not ended yet.');
    // Without the mocks of the test it would act outside.
    if (before.trigger === 'test') throw conflict('This is the run of a test: run the test again.');
    if (before.dataRemovedAt && (fromNodeId !== null || input === undefined))
      throw conflict('The data of the execution was removed: it can only be run again as a whole, with an input.');
    const { version: workflowVersion, ...workflow } = await content(
      db,
      before.workflowId,
      before.workflowVersion,
      useLatest,
    );
    const definition = workflow.definition as Definition;
    const untilNodeId = body.untilNodeId === undefined ? before.untilNodeId : body.untilNodeId;
    await requireReady(db, workspaceId, definition, untilNodeId);
    const part = partOf(definition, untilNodeId);

    // A step of an agent counts as the agent.
    const fromId = agentStepAt(definition, fromNodeId)?.agentId ?? fromNodeId;
    if (fromId !== null && !definition.nodes.some((node) => node.id === fromId)) {
      throw invalidField('fromNodeId', 'is not a node of the workflow');
    }
    if (fromId !== null && !part.nodes.some((node) => node.id === fromId)) {
      throw invalidField('fromNodeId', `does not lead to ${untilNodeId}`);
    }
    if (fromNodeId === null) {
      if (input !== undefined && isObject(before.input) && !isObject(input))
        throw invalidField('input', 'must be an object');
      requireFit(await inputIssues(part, input ?? before.input, { workspaceId }));
    }
    if (usePins) requirePinning(caller, await findWorkflow(db, workspaceId, before.workflowId));
    const workflowId = before.workflowId;
    const pins = usePins
      ? await storedPins(db, { workflowId, definition, useLatest }, [fromId, untilNodeId])
      : undefined;
    const submission = { workspaceId, workflowVersion, fromNodeId, untilNodeId, input, pins, createdBy };
    const accepted = await repeat(db, { executionId: id, definition, ...submission });
    if (accepted === 'never-ran') throw invalidField('fromNodeId', 'never ran in this execution');
    note({ metadata: { rerun: accepted.executionId, fromNodeId, untilNodeId } });
    return { ...accepted, status: 'pending' as const };
  },
});

export const reruns = [rerun];
