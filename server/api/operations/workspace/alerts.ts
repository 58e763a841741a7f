import { z } from 'zod';
import {
  AlertResponse,
  CreateAlertRequest,
  ListAlertsResponse,
  UpdateAlertRequest,
  AlertWithSecret,
  type AlertTarget,
} from '@/contract/alert';
import { PaginationQuery } from '@/contract/text';
import type { Alert as Row } from '@/generated/prisma/client';
import { generateAlertSecret, sealAlertSecret } from '@/server/network/alerts/signature';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { isActionAllowed } from '@/server/people/access/conditions';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { requirePermission } from '@/server/people/access/require';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { requireBelowCap } from '@/server/platform/quotas/caps';

const ALERT_TAG = 'Alerts';
const AlertParams = z.strictObject({ id: z.string() });

const toAlertResponse = (row: Row): AlertResponse => ({
  id: row.id,
  event: row.event as AlertResponse['event'],
  workflowId: row.workflowId,
  tag: row.tag,
  to: row.webhook === null ? { emails: row.emails } : { webhook: row.webhook },
  throttleMinutes: row.throttleMinutes,
  enabled: row.isEnabled,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy,
  lastSentAt: row.lastSentAt?.toISOString() ?? null,
  lastError: row.lastError,
});

async function findAlertRow(db: DatabaseClient, workspaceId: string, id: string): Promise<Row> {
  const row = await db.alert.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFoundProblem('The alert');
  return row;
}

/** Throws unless the alert is about something that exists, and whose runs the caller may read. */
async function requireAlertSubject(
  db: DatabaseClient,
  caller: WorkspaceCaller,
  { event, workflowId, tag: label }: Pick<AlertResponse, 'event' | 'workflowId' | 'tag'>,
): Promise<void> {
  if (workflowId !== null && label !== null) throw invalidFieldProblem('tag', 'can’t be combined with workflowId');
  if (event === 'credential_expired') {
    if (workflowId !== null) throw invalidFieldProblem('workflowId', 'does not apply to credentials');
    if (label !== null) throw invalidFieldProblem('tag', 'does not apply to credentials');
    return;
  }
  const { workspaceId } = caller;
  if (workflowId !== null) {
    const select = { id: true, name: true, status: true, createdBy: true };
    const workflow = await db.workflow.findFirst({ where: { id: workflowId, workspaceId }, select });
    if (!workflow || !isActionAllowed(caller, 'read', 'workflow', workflow))
      throw invalidFieldProblem('workflowId', 'is not a workflow of this workspace');
  }
  // An alert about all workflows needs the permission on all runs.
  requirePermission(caller, 'execution', 'read', workflowId === null ? null : { workflowId });
}

/**
 * Returns the columns of a target. A webhook with another address gets a new secret, because the old one may be known
 * there.
 */
function toTargetColumns(id: string, to: AlertTarget, before?: Row) {
  if ('emails' in to) return { columns: { emails: to.emails, webhook: null, secret: null } };
  if (before?.webhook === to.webhook) return { columns: {} };
  const secret = generateAlertSecret();
  return { columns: { emails: [], webhook: to.webhook, secret: sealAlertSecret(id, secret) }, secret };
}

const listAlertsOperation = defineOperation({
  id: 'alerts.list',
  method: 'GET',
  path: '/api/alerts',
  summary: 'List alerts',
  tag: ALERT_TAG,
  access: memberAccess('alert', 'read'),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListAlertsResponse),
  async run({ db, caller: { workspaceId } }, { query: { limit, offset } }) {
    const where = { workspaceId };
    const [rows, total] = await Promise.all([
      db.alert.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.alert.count({ where }),
    ]);
    return { data: rows.map(toAlertResponse), total, limit, offset };
  },
});

const createAlertOperation = defineOperation({
  id: 'alerts.create',
  method: 'POST',
  path: '/api/alerts',
  summary: 'Create an alert',
  description:
    'Mails people or calls a webhook when `event` happens. A webhook gets `{event, alertId, workspaceId, workflow, execution, at}`, ' +
    'signed as Standard Webhooks say; the answer shows its secret, once. The caller must be able to read the runs.',
  tag: ALERT_TAG,
  access: memberAccess('alert', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateAlertRequest),
  reply: jsonReply(AlertWithSecret, { status: 201, location: '/api/alerts/{id}' }),
  async run({ db, caller, note }, { body: { to, enabled, ...fields } }) {
    await requireAlertSubject(db, caller, fields);
    await requireBelowCap(db, 'alerts', caller.workspaceId);
    const id = generateId('alrt');
    note({ resourceId: id, metadata: { event: fields.event } });
    const { columns, secret } = toTargetColumns(id, to);
    const owner = { workspaceId: caller.workspaceId, createdBy: caller.userId };
    const row = await db.alert.create({ data: { id, ...fields, ...columns, ...owner, isEnabled: enabled } });
    return { ...toAlertResponse(row), secret };
  },
});

const getAlertOperation = defineOperation({
  id: 'alerts.get',
  method: 'GET',
  path: '/api/alerts/{id}',
  summary: 'Read an alert',
  tag: ALERT_TAG,
  access: memberAccess('alert', 'read'),
  effect: readEffect(),
  params: AlertParams,
  reply: jsonReply(AlertResponse),
  run: async ({ db, caller }, { params: { id } }) => toAlertResponse(await findAlertRow(db, caller.workspaceId, id)),
});

const updateAlertOperation = defineOperation({
  id: 'alerts.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/alerts/{id}',
  summary: 'Change an alert',
  description: 'A webhook with another address gets a new secret, which the answer shows, once.',
  tag: ALERT_TAG,
  access: memberAccess('alert', 'update'),
  effect: writeEffect('configuration_change'),
  params: AlertParams,
  body: jsonBody(UpdateAlertRequest),
  reply: jsonReply(AlertWithSecret),
  async run({ db, caller, note }, { params: { id }, body: { to, enabled, ...fields } }) {
    const before = await findAlertRow(db, caller.workspaceId, id);
    await requireAlertSubject(db, caller, { ...toAlertResponse(before), ...fields });
    note({ metadata: { changed: Object.keys({ ...fields, ...(to && { to }) }) } });
    const { columns, secret } = to ? toTargetColumns(id, to, before) : { columns: {}, secret: undefined };
    const data = { ...fields, ...columns, isEnabled: enabled, updatedAt: new Date() };
    return { ...toAlertResponse(await db.alert.update({ where: { id }, data })), secret };
  },
});

const rotateAlertSecretOperation = defineOperation({
  id: 'alerts.rotateSecret',
  method: 'POST',
  path: '/api/alerts/{id}/rotate-secret',
  summary: 'Replace the secret of an alert’s webhook',
  description: 'The answer shows the new secret, once. The old one signs nothing any more.',
  tag: ALERT_TAG,
  access: memberAccess('alert', 'update'),
  effect: writeEffect('configuration_change'),
  params: AlertParams,
  reply: jsonReply(AlertWithSecret),
  async run({ db, caller }, { params: { id } }) {
    const before = await findAlertRow(db, caller.workspaceId, id);
    if (before.webhook === null) throw conflictProblem('The alert has no webhook.');
    const secret = generateAlertSecret();
    const data = { secret: sealAlertSecret(id, secret), updatedAt: new Date() };
    return { ...toAlertResponse(await db.alert.update({ where: { id }, data })), secret };
  },
});

const deleteAlertOperation = defineOperation({
  id: 'alerts.delete',
  method: 'DELETE',
  path: '/api/alerts/{id}',
  summary: 'Delete an alert',
  tag: ALERT_TAG,
  access: memberAccess('alert', 'delete'),
  effect: writeEffect('configuration_change'),
  params: AlertParams,
  async run({ db, caller }, { params: { id } }) {
    await findAlertRow(db, caller.workspaceId, id);
    await db.alert.delete({ where: { id } });
  },
});

export const alertOperations = [
  listAlertsOperation,
  createAlertOperation,
  getAlertOperation,
  updateAlertOperation,
  rotateAlertSecretOperation,
  deleteAlertOperation,
];
