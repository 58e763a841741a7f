import { z } from 'zod';
import {
  MAX_PINNED_CHARACTERS,
  MAX_PINNED_TOTAL_CHARACTERS,
  PinnedOutput,
  ListPinsResponse,
  PinOutputRequest,
} from '@/contract/workflows/pin';
import { Prisma, type WorkflowPin } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { versionEtagHeader, readExpectedVersion } from '@/server/api/operation/precondition';
import type { DatabaseClient } from '@/server/platform/db/client';
import { serializeWithoutSecrets } from '@/server/engine/attempt/without-secrets';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { lockObjectCount } from '@/server/platform/quotas/lock';
import { findPinnedNode } from '@/server/workflow/definition/pins';
import { notifyPinsChanged } from '@/server/workflow/definition/stored-parts';
import { addJsonColumns } from '../../json-columns';
import { findWorkflow } from '../workflow-rows';
import { readLastSavedVersion } from '../drafts/version-rows';

const PIN_TAG = 'Workflows';
const PINS_PATH = '/api/workflows/{id}/pins';
const PinCollectionParams = z.strictObject({ id: z.string() });
const PinParams = PinCollectionParams.extend({ nodeId: z.string() });

const toPinResponse = ({ nodeId, output, version, updatedBy, updatedAt }: WorkflowPin): PinnedOutput => ({
  nodeId,
  output,
  version,
  updatedBy,
  updatedAt: updatedAt.toISOString(),
});

const listPinsOperation = defineOperation({
  id: 'pins.list',
  method: 'GET',
  path: PINS_PATH,
  summary: 'List the pinned outputs of a workflow',
  description:
    'Runs from the editor take a pinned output in place of running the node (`usePins` of ' +
    '`POST /api/workflows/{id}/execute`). No trigger uses it.',
  tag: PIN_TAG,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: PinCollectionParams,
  reply: jsonReply(ListPinsResponse),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const rows = await db.workflowPin.findMany({
      where: { workflowId: id },
      orderBy: { nodeId: 'asc' },
      omit: { output: true },
    });
    const pinned = await addJsonColumns(db, rows, {
      table: 'workflow_pin',
      columns: { output: 'output' },
      key: 'node_id',
      keyOfRow: ({ nodeId }) => nodeId,
      within: Prisma.sql`workflow_id = ${id}`,
    });
    return { data: pinned.map(toPinResponse) };
  },
});

const formatMebibytes = (characters: number) => `${characters / 1024 / 1024} MiB`;

/** Throws 400 for an output that is too large, by itself or together with the other pins of the workflow. */
async function requirePinSize(db: DatabaseClient, workflowId: string, nodeId: string, size: number): Promise<void> {
  if (size > MAX_PINNED_CHARACTERS)
    throw invalidFieldProblem('output', `must have at most ${formatMebibytes(MAX_PINNED_CHARACTERS)} of JSON`);
  const others = await db.workflowPin.aggregate({
    where: { workflowId, nodeId: { not: nodeId } },
    _sum: { size: true },
  });
  const left = MAX_PINNED_TOTAL_CHARACTERS - (others._sum.size ?? 0);
  if (size <= left) return;
  const rest = `${Math.floor(Math.max(0, left) / 1024).toLocaleString('en')} KiB`;
  throw invalidFieldProblem(
    'output',
    `is too large: the pins of a workflow can have ${formatMebibytes(MAX_PINNED_TOTAL_CHARACTERS)} of JSON together, and ${rest} are left`,
  );
}

const setPinOperation = defineOperation({
  id: 'pins.set',
  method: 'PUT',
  path: `${PINS_PATH}/{nodeId}`,
  summary: 'Pin the output of a node',
  description:
    'All editors of the workflow see it. The node must be part of the version that was saved last; a later version without ' +
    'the node removes the pin. Secrets of the credentials that the workflow names are masked. With `If-Match` or `version`, ' +
    'the version of the pin that this replaces (0: none), it is refused (409) if the pin was changed meanwhile. An output has ' +
    'at most 1 MiB of JSON, all pins of a workflow 2 MiB.',
  tag: PIN_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: PinParams,
  // The output of a node: only its size counts.
  body: jsonBody(PinOutputRequest, { maxBytes: 2 * 1024 * 1024, maxValues: Infinity }),
  reply: jsonReply(PinnedOutput, { headers: versionEtagHeader }),
  async run({ db, caller, headers, note }, { params: { id, nodeId }, body }) {
    const { workspaceId, userId } = caller;
    const { definition } = await readLastSavedVersion(db, await findWorkflow(db, workspaceId, id));
    if (!findPinnedNode(definition, nodeId)) throw notFoundProblem('The node');
    const json = await serializeWithoutSecrets(body.output, { workspaceId, definition });
    await lockObjectCount(db, 'pins', id);
    const where = { workflowId_nodeId: { workflowId: id, nodeId } };
    const before = await db.workflowPin.findUnique({ where, select: { version: true } });
    const expected = readExpectedVersion(headers, body.version);
    if (expected !== undefined && expected !== (before?.version ?? 0))
      throw conflictProblem('The pin was changed by another request.');
    if (!before) await requireBelowCap(db, 'pins', id);
    await requirePinSize(db, id, nodeId, json.length);
    const version = (before?.version ?? 0) + 1;
    const updatedAt = new Date();
    note({ resourceId: id, metadata: { node: nodeId } });
    // As text: Prisma looks at each value of JSON, which takes half a second for a mebibyte of small ones.
    await db.$executeRaw`
      INSERT INTO workflow_pin (workflow_id, node_id, output, size, version, updated_by, updated_at)
      VALUES (${id}, ${nodeId}, ${json}::json, ${json.length}, ${version}, ${userId}, ${updatedAt})
      ON CONFLICT (workflow_id, node_id) DO UPDATE SET output = excluded.output, size = excluded.size, version = excluded.version,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`;
    await notifyPinsChanged(db, id);
    const output: unknown = new LargeJsonText(json);
    return toPinResponse({
      workflowId: id,
      nodeId,
      output: output as Prisma.JsonValue,
      size: json.length,
      version,
      updatedBy: userId,
      updatedAt,
    });
  },
});

const deletePinOperation = defineOperation({
  id: 'pins.delete',
  method: 'DELETE',
  path: `${PINS_PATH}/{nodeId}`,
  summary: 'Unpin the output of a node',
  tag: PIN_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: PinParams,
  async run({ db, caller, note }, { params: { id, nodeId } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const { count } = await db.workflowPin.deleteMany({ where: { workflowId: id, nodeId } });
    if (count === 0) throw notFoundProblem('The pin');
    note({ resourceId: id, metadata: { node: nodeId } });
    await notifyPinsChanged(db, id);
  },
});

export const pinOperations = [listPinsOperation, setPinOperation, deletePinOperation];
