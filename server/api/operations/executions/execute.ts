import { z } from 'zod';
import { AcceptedExecution, ExecutionResponse } from '@/contract/execution';
import { ExecuteWorkflowRequest } from '@/contract/execute-request';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { CustomResponse, memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { partialDefinition } from '@/server/workflow/definition/partial-run';
import { submitRun, type SubmitRunOptions } from '@/server/engine/queue/submit';
import type { RunRequest, SubmittedRun } from '@/server/engine/queue/submission';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { findNodeOrItem, isPinnable } from '@/server/workflow/definition/pins';
import { findRunInputIssues } from '@/server/workflow/nodes/flow/start';
import { requireMatchingInput, requireReadyToRun, findWorkflow, toWorkflowResponse } from '../workflows/workflow-rows';
import { findVisibleRun } from './read-run';
import { preferredWaitSeconds, waitForRunEnd } from './waiting';
import { readLastSavedVersion } from '../workflows/drafts/version-rows';
import { requirePinPermission, readPinsForRun } from '../workflows/pins/run-pins';

export const executeWorkflowOperation = defineOperation({
  id: 'workflows.execute',
  method: 'POST',
  path: '/api/workflows/{id}/execute',
  summary: 'Run a workflow',
  description:
    'Answers once the run is stored; read its progress under `/api/executions/{executionId}`. With ' +
    '`untilNodeId` it runs up to that node and no further; with `useLatest` it runs changes that are not published yet. ' +
    'With `startNodeId` it begins at that start node alone. ' +
    'Credentials and other workflows are used with the permissions of the user who published the version, or saved it if ' +
    'it is not published: without them the node fails with the code FORBIDDEN.\n\n' +
    'With `Prefer: wait=<seconds>` (RFC 7240; 1 to 60) it answers 200 with the execution if that ends in time, else as without. ' +
    'The preference is ignored together with an `Idempotency-Key`, and when too many callers wait.',
  tag: 'Workflows',
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(ExecuteWorkflowRequest, {
    // The input of a run is limited by its size, not by its number of values.
    maxValues: Infinity,
  }),
  reply: jsonReply(AcceptedExecution, { status: 202, prefersWait: 'Execution' }),
  async run(call, { params: { id }, body }) {
    const { db, caller } = call;
    const { input, pins: given = {}, usePins, untilNodeId = null, startNodeId = null, useLatest } = body;
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    const { version, definition } = useLatest ? await readLastSavedVersion(db, workflow) : toWorkflowResponse(workflow);
    requirePinnableNodes(definition, given);
    if (usePins || Object.keys(given).length > 0) requirePinPermission(caller, workflow);
    const stored = usePins ? await readPinsForRun(db, { workflowId: id, definition, useLatest }, [untilNodeId]) : {};
    const pins = { ...stored, ...given };
    const hasPins = Object.keys(pins).length > 0;
    await requireReadyToRun(db, caller.workspaceId, definition, { untilNodeId, startNodeId });
    requireMatchingInput(
      await findRunInputIssues(
        partialDefinition(definition, untilNodeId),
        input,
        { workspaceId: caller.workspaceId },
        startNodeId,
      ),
    );
    const run = {
      workspaceId: caller.workspaceId,
      workflowId: id,
      workflowVersion: version,
      trigger: 'manual',
      input,
      createdBy: caller.userId,
      untilNodeId,
      startNodeId,
    } as const;
    const waitSeconds = preferredWaitSeconds(call);
    const waiting = waitSeconds === null ? undefined : waitForRunEnd(call, waitSeconds);
    const along = { audit: call.auditEntry(), db: call.inTransaction ? db : undefined, caller: waiting };
    const accepted = await (hasPins ? submitPinnedRun(call, run, along, pins) : submitRun(run, along)).catch(
      (error: unknown) => {
        waiting?.stopWaiting();
        throw error;
      },
    );
    const end = await waiting?.wait(true);
    const execution = end?.kind === 'end' ? await findVisibleRun(caller, accepted.executionId) : null;
    if (execution) {
      return new CustomResponse(
        200,
        { 'Preference-Applied': `wait=${waitSeconds}` },
        { body: ExecutionResponse.parse(execution) },
      );
    }
    return { status: 'pending' as const, ...accepted };
  },
});

type PinnedNodeOutputs = Readonly<Record<string, unknown>>;

/** Throws for a pinned output whose node does not exist or cannot be pinned. */
function requirePinnableNodes({ nodes }: WorkflowDefinition, pins: PinnedNodeOutputs): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const id of Object.keys(pins)) {
    const node = byId.get(id) ?? findNodeOrItem(nodes, id);
    if (!node) throw invalidFieldProblem(`pins.${id}`, 'is not a node of the workflow');
    if (!isPinnable(node)) throw invalidFieldProblem(`pins.${id}`, 'can not be pinned');
  }
}

/** Stores the run and its pins in one transaction, so that no worker takes it without them. */
function submitPinnedRun(
  call: SignedInCall,
  run: RunRequest,
  options: SubmitRunOptions,
  pins: PinnedNodeOutputs,
): Promise<SubmittedRun> {
  const store = async (db: DatabaseClient) => {
    const submitted = await submitRun(run, { ...options, db });
    const override = JSON.parse(JSON.stringify({ pins })) as object;
    await db.execution.update({ where: { id: submitted.executionId }, data: { override } });
    return submitted;
  };
  return call.inTransaction ? store(call.db) : runInDatabaseTransaction(true, store);
}
