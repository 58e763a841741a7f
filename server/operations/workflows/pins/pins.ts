import { z } from 'zod';
import { MAX_PIN, MAX_PINS_TOTAL, Pin, PinList, PinRequest } from '@/contract/workflows/pin';
import { Prisma, type WorkflowPin } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { etag, expectedVersion } from '@/server/api/precondition';
import type { Db } from '@/server/db/client';
import { jsonWithoutSecrets } from '@/server/engine/attempt/without-secrets';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import { requireBelowCap } from '@/server/quotas/caps';
import { LargeJson } from '@/server/expressions/large-json';
import { lockCount } from '@/server/quotas/lock';
import { notifyPins, pinnedNode } from '@/server/workflow/pins';
import { addJsonColumns } from '../../json-columns';
import { findWorkflow } from '../content';
import { lastSaved } from '../drafts/version-rows';

const tag = 'Workflows';
const path = '/api/workflows/{id}/pins';
const OfWorkflow = z.strictObject({ id: z.string() });
const One = OfWorkflow.extend({ nodeId: z.string() });

const present = ({ nodeId, output, version, updatedBy, updatedAt }: WorkflowPin): Pin => ({
  nodeId,
  output,
  version,
  updatedBy,
  updatedAt: updatedAt.toISOString(),
});

const list = operation({
  id: 'pins.list',
  method: 'GET',
  path,
  summary: 'List the pinned outputs of a workflow',
  description:
    'Runs from the editor take a pinned output in place of running the node (`usePins` of ' +
    '`POST /api/workflows/{id}/execute`). No trigger uses it.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: OfWorkflow,
  reply: jsonReply(PinList),
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
    return { data: pinned.map(present) };
  },
});

const whole = (characters: number) => `${characters / 1024 / 1024} MiB`;

/** Throws 400 for an output that is too large, by itself or together with the other pins of the workflow. */
async function requireFits(db: Db, workflowId: string, nodeId: string, size: number): Promise<void> {
  if (size > MAX_PIN) throw invalidField('output', `must have at most ${whole(MAX_PIN)} of JSON`);
  const others = await db.workflowPin.aggregate({
    where: { workflowId, nodeId: { not: nodeId } },
    _sum: { size: true },
  });
  const left = MAX_PINS_TOTAL - (others._sum.size ?? 0);
  if (size <= left) return;
  const rest = `${Math.floor(Math.max(0, left) / 1024).toLocaleString('en')} KiB`;
  throw invalidField(
    'output',
    `is too large: the pins of a workflow can have ${whole(MAX_PINS_TOTAL)} of JSON together, and ${rest} are left`,
  );
}

const set = operation({
  id: 'pins.set',
  method: 'PUT',
  path: `${path}/{nodeId}`,
  summary: 'Pin the output of a node',
  description:
    'All editors of the workflow see it. The node must be part of the version that was saved last; a later version without ' +
    'the node removes the pin. Secrets of the credentials that the workflow names are masked. With `If-Match` or `version`, ' +
    'the version of the pin that this replaces (0: none), it is refused (409) if the pin was changed meanwhile. An output has ' +
    'at most 1 MiB of JSON, all pins of a workflow 2 MiB.',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  // The output of a node: only its size counts.
  body: jsonBody(PinRequest, { maxBytes: 2 * 1024 * 1024, maxValues: Infinity }),
  reply: jsonReply(Pin, { headers: etag }),
  async run({ db, caller, headers, note }, { params: { id, nodeId }, body }) {
    const { workspaceId, userId } = caller;
    const { definition } = await lastSaved(db, await findWorkflow(db, workspaceId, id));
    if (!pinnedNode(definition, nodeId)) throw notFound('The node');
    const json = await jsonWithoutSecrets(body.output, { workspaceId, definition });
    await lockCount(db, 'pins', id);
    const where = { workflowId_nodeId: { workflowId: id, nodeId } };
    const before = await db.workflowPin.findUnique({ where, select: { version: true } });
    const expected = expectedVersion(headers, body.version);
    if (expected !== undefined && expected !== (before?.version ?? 0))
      throw conflict('The pin was changed by another request.');
    if (!before) await requireBelowCap(db, 'pins', id);
    await requireFits(db, id, nodeId, json.length);
    const version = (before?.version ?? 0) + 1;
    const updatedAt = new Date();
    note({ resourceId: id, metadata: { node: nodeId } });
    // As text: Prisma looks at each value of JSON, which takes half a second for a mebibyte of small ones.
    await db.$executeRaw`
      INSERT INTO workflow_pin (workflow_id, node_id, output, size, version, updated_by, updated_at)
      VALUES (${id}, ${nodeId}, ${json}::json, ${json.length}, ${version}, ${userId}, ${updatedAt})
      ON CONFLICT (workflow_id, node_id) DO UPDATE SET output = excluded.output, size = excluded.size, version = excluded.version,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at`;
    await notifyPins(db, id);
    const output: unknown = new LargeJson(json);
    return present({
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

const remove = operation({
  id: 'pins.delete',
  method: 'DELETE',
  path: `${path}/{nodeId}`,
  summary: 'Unpin the output of a node',
  tag,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  async run({ db, caller, note }, { params: { id, nodeId } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const { count } = await db.workflowPin.deleteMany({ where: { workflowId: id, nodeId } });
    if (count === 0) throw notFound('The pin');
    note({ resourceId: id, metadata: { node: nodeId } });
    await notifyPins(db, id);
  },
});

export const pins = [list, set, remove];
