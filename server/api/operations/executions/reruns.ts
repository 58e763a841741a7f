import { z } from 'zod';
import { AcceptedExecution, RerunExecutionRequest } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { partialDefinition } from '@/server/workflow/definition/partial-run';
import { findAgentStep, rerunExecution as repeat } from '@/server/engine/queue/rerun';
import { findRunInputIssues } from '@/server/workflow/nodes/flow/start';
import { findWorkflow, requireMatchingInput, requireReadyToRun } from '../workflows/workflow-rows';
import { readLastSavedVersion } from '../workflows/drafts/version-rows';
import { requirePinPermission, readPinsForRun } from '../workflows/pins/run-pins';

const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the version to run, which is that of the original run or the latest saved one. */
async function findVersionToRun(db: DatabaseClient, workflowId: string, version: number, useLatest: boolean) {
  if (useLatest) return readLastSavedVersion(db, await db.workflow.findUniqueOrThrow({ where: { id: workflowId } }));
  return await db.workflowVersion.findUniqueOrThrow({ where: { workflowId_version: { workflowId, version } } });
}

const rerunExecutionOperation = defineOperation({
  id: 'executions.rerun',
  method: 'POST',
  path: '/api/executions/{id}/rerun',
  summary: 'Run an execution again',
  description:
    'A new execution of the version that ran (`useLatest`: of the workflow as it was saved last) with the same input, or with ' +
    '`input`. With `fromNodeId` it begins there: the results of finished nodes that don’t follow from that node are ' +
    'reused, and `input` is the input of that node. It may be a step of an agent, such as `agent[2].model`: the steps before ' +
    'are reused, and `input` is what the model is told at that step. With `untilNodeId` it ends at that node. It begins at the start node of the execution. Only ' +
    'finished executions can be run again (else 409). One whose data was removed needs `input`, and no `fromNodeId`. ' +
    'Credentials and other workflows are used with the permissions of ' +
    'the user who published the version that runs, or saved it if it is not published.',
  tag: 'Executions',
  access: memberAccess('execution', 'rerun'),
  effect: writeEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(RerunExecutionRequest),
  reply: jsonReply(AcceptedExecution, { status: 202 }),
  async run({ db, caller, note }, { params: { id }, body }) {
    const { fromNodeId = null, input, useLatest = false, usePins, firstItemOnly } = body;
    const { workspaceId, userId: createdBy } = caller;
    const before = await db.execution.findFirst({ where: { id, workspaceId }, omit: { output: true } });
    if (!before) throw notFoundProblem('The execution');
    if (!isFinalStatus(before.status)) throw conflictProblem('The execution has not ended yet.');
    // A rerun has no mocks, so its nodes would act outside.
    if (before.trigger === 'test') throw conflictProblem('This is the run of a test: run the test again.');
    if (before.dataRemovedAt && (fromNodeId !== null || input === undefined))
      throw conflictProblem(
        'The data of the execution was removed: it can only be run again as a whole, with an input.',
      );
    const { version: workflowVersion, ...workflow } = await findVersionToRun(
      db,
      before.workflowId,
      before.workflowVersion,
      useLatest,
    );
    const definition = workflow.definition as WorkflowDefinition;
    const untilNodeId = body.untilNodeId === undefined ? before.untilNodeId : body.untilNodeId;
    const { startNodeId } = before;
    await requireReadyToRun(db, workspaceId, definition, { untilNodeId, startNodeId });
    const part = partialDefinition(definition, untilNodeId);

    // A step of an agent counts as the agent.
    const fromId = findAgentStep(definition, fromNodeId)?.agentId ?? fromNodeId;
    if (fromId !== null && !definition.nodes.some((node) => node.id === fromId)) {
      throw invalidFieldProblem('fromNodeId', 'is not a node of the workflow');
    }
    if (fromId !== null && !part.nodes.some((node) => node.id === fromId)) {
      throw invalidFieldProblem('fromNodeId', `does not lead to ${untilNodeId}`);
    }
    if (fromNodeId === null) {
      if (input !== undefined && isPlainObject(before.input) && !isPlainObject(input))
        throw invalidFieldProblem('input', 'must be an object');
      requireMatchingInput(await findRunInputIssues(part, input ?? before.input, { workspaceId }, startNodeId));
    }
    const from = definition.nodes.find(({ id }) => id === fromNodeId);
    if (firstItemOnly && from?.type !== 'for_each' && from?.each === undefined)
      throw invalidFieldProblem('firstItemOnly', 'needs `fromNodeId` of a node that runs for each item of a list');
    if (usePins) requirePinPermission(caller, await findWorkflow(db, workspaceId, before.workflowId));
    const workflowId = before.workflowId;
    const pins = usePins
      ? await readPinsForRun(db, { workflowId, definition, useLatest }, [fromId, untilNodeId])
      : undefined;
    const bounds = { fromNodeId, untilNodeId, startNodeId, firstItemOnly };
    const submission = { workspaceId, workflowVersion, ...bounds, input, pins, createdBy };
    const accepted = await repeat(db, { executionId: id, definition, ...submission });
    if (accepted === 'never-ran') throw invalidFieldProblem('fromNodeId', 'never ran in this execution');
    note({ metadata: { rerun: accepted.executionId, fromNodeId, untilNodeId } });
    return { ...accepted, status: 'pending' as const };
  },
});

export const rerunOperations = [rerunExecutionOperation];
