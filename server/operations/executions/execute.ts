import { z } from 'zod';
import { Accepted, Execution } from '@/contract/execution';
import { ExecuteRequest } from '@/contract/execute-request';
import type { Definition } from '@/contract/workflows/workflow';
import { CustomReply, memberAccess, operation, type SignedInCall } from '@/server/api/operation';
import { jsonBody, jsonReply, submitEffect } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { transaction } from '@/server/db/transaction';
import { partOf } from '@/server/workflow/part';
import { submit, type SubmitOptions } from '@/server/engine/queue/submit';
import type { NewRun, Submitted } from '@/server/engine/queue/submission';
import { invalidField } from '@/server/errors/problem';
import { isReplaceable } from '@/server/workflow/pins';
import { inputIssues } from '@/server/nodes/flow/start';
import { requireFit, requireReady, findWorkflow, presentWorkflow } from '../workflows/content';
import { findRun } from './read-run';
import { preferredWait, waitForEnd } from './waiting';
import { lastSaved } from '../workflows/drafts/version-rows';
import { requirePinning, storedPins } from '../workflows/pins/run-pins';

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
  access: memberAccess('workflow', 'execute'),
  effect: submitEffect('resource_access'),
  params: z.strictObject({ id: z.string() }),
  body: jsonBody(ExecuteRequest, {
    // The input of a run: only its size counts.
    maxValues: Infinity,
  }),
  reply: jsonReply(Accepted, { status: 202, prefersWait: 'Execution' }),
  async run(call, { params: { id }, body: { input, pins: given = {}, usePins, untilNodeId = null, useLatest } }) {
    const { db, caller } = call;
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    const { version, definition } = useLatest ? await lastSaved(db, workflow) : presentWorkflow(workflow);
    requirePinnable(definition, given);
    if (usePins || Object.keys(given).length > 0) requirePinning(caller, workflow);
    const stored = usePins ? await storedPins(db, { workflowId: id, definition, useLatest }, [untilNodeId]) : {};
    const pins = { ...stored, ...given };
    const hasPins = Object.keys(pins).length > 0;
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
    const accepted = await (hasPins ? submitPinned(call, run, along, pins) : submit(run, along)).catch(
      (error: unknown) => {
        waiting?.leave();
        throw error;
      },
    );
    const end = await waiting?.wait(true);
    const execution = end?.kind === 'end' ? await findRun(caller, accepted.executionId) : null;
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

type Pins = Readonly<Record<string, unknown>>;

/** Throws for pins of nodes that no output can replace. */
function requirePinnable({ nodes }: Definition, pins: Pins): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const id of Object.keys(pins)) {
    const node = byId.get(id);
    if (!node) throw invalidField(`pins.${id}`, 'is not a node of the workflow');
    if (!isReplaceable(node)) throw invalidField(`pins.${id}`, 'can not be pinned');
  }
}

/** Stores the run and its pins in one transaction, so that no worker takes it without them. */
function submitPinned(call: SignedInCall, run: NewRun, options: SubmitOptions, pins: Pins): Promise<Submitted> {
  const store = async (db: Db) => {
    const submitted = await submit(run, { ...options, db });
    const override = JSON.parse(JSON.stringify({ pins })) as object;
    await db.execution.update({ where: { id: submitted.executionId }, data: { override } });
    return submitted;
  };
  return call.inTransaction ? store(call.db) : transaction(true, store);
}
