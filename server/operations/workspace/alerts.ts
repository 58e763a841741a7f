import { z } from 'zod';
import { Alert, AlertCreate, AlertPage, AlertUpdate, AlertWithSecret, type AlertTarget } from '@/contract/alert';
import { PageQuery } from '@/contract/text';
import type { Alert as Row } from '@/generated/prisma/client';
import { newAlertSecret, sealAlertSecret } from '@/server/alerts/signature';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { can } from '@/server/access/conditions';
import type { Caller } from '@/server/access/caller';
import { requirePermission } from '@/server/access/require';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { conflict, invalidField, notFound } from '@/server/errors/problem';
import { requireBelowCap } from '@/server/quotas/caps';

const tag = 'Alerts';
const Id = z.strictObject({ id: z.string() });

const presentAlert = (row: Row): Alert => ({
  id: row.id,
  event: row.event as Alert['event'],
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

async function find(db: Db, workspaceId: string, id: string): Promise<Row> {
  const row = await db.alert.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFound('The alert');
  return row;
}

/** Throws unless the alert is about something that exists, and whose runs the caller may read. */
async function requireSubject(
  db: Db,
  caller: Caller,
  { event, workflowId, tag: label }: Pick<Alert, 'event' | 'workflowId' | 'tag'>,
): Promise<void> {
  if (workflowId !== null && label !== null) throw invalidField('tag', 'can’t be combined with workflowId');
  if (event === 'credential_expired') {
    if (workflowId !== null) throw invalidField('workflowId', 'does not apply to credentials');
    if (label !== null) throw invalidField('tag', 'does not apply to credentials');
    return;
  }
  const { workspaceId } = caller;
  if (workflowId !== null) {
    const select = { id: true, name: true, status: true, createdBy: true };
    const workflow = await db.workflow.findFirst({ where: { id: workflowId, workspaceId }, select });
    if (!workflow || !can(caller, 'read', 'workflow', workflow))
      throw invalidField('workflowId', 'is not a workflow of this workspace');
  }
  // An alert about all workflows needs the permission on all runs.
  requirePermission(caller, 'execution', 'read', workflowId === null ? null : { workflowId });
}

/** The columns of a target. A webhook with another address gets a new secret: the old one may be known there. */
function targetColumns(id: string, to: AlertTarget, before?: Row) {
  if ('emails' in to) return { columns: { emails: to.emails, webhook: null, secret: null } };
  if (before?.webhook === to.webhook) return { columns: {} };
  const secret = newAlertSecret();
  return { columns: { emails: [], webhook: to.webhook, secret: sealAlertSecret(id, secret) }, secret };
}

const list = operation({
  id: 'alerts.list',
  method: 'GET',
  path: '/api/alerts',
  summary: 'List alerts',
  tag,
  access: memberAccess('alert', 'read'),
  effect: readEffect(),
  query: PageQuery,
  reply: jsonReply(AlertPage),
  async run({ db, caller: { workspaceId } }, { query: { limit, offset } }) {
    const where = { workspaceId };
    const [rows, total] = await Promise.all([
      db.alert.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.alert.count({ where }),
    ]);
    return { data: rows.map(presentAlert), total, limit, offset };
  },
});

const create = operation({
  id: 'alerts.create',
  method: 'POST',
  path: '/api/alerts',
  summary: 'Create an alert',
  description:
    'Mails people or calls a webhook when `event` happens. A webhook gets `{event, alertId, workspaceId, workflow, execution, at}`, ' +
    'signed as Standard Webhooks say; the answer shows its secret, once. The caller must be able to read the runs.',
  tag,
  access: memberAccess('alert', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(AlertCreate),
  reply: jsonReply(AlertWithSecret, { status: 201, location: '/api/alerts/{id}' }),
  async run({ db, caller, note }, { body: { to, enabled, ...fields } }) {
    await requireSubject(db, caller, fields);
    await requireBelowCap(db, 'alerts', caller.workspaceId);
    const id = newId('alrt');
    note({ resourceId: id, metadata: { event: fields.event } });
    const { columns, secret } = targetColumns(id, to);
    const owner = { workspaceId: caller.workspaceId, createdBy: caller.userId };
    const row = await db.alert.create({ data: { id, ...fields, ...columns, ...owner, isEnabled: enabled } });
    return { ...presentAlert(row), secret };
  },
});

const get = operation({
  id: 'alerts.get',
  method: 'GET',
  path: '/api/alerts/{id}',
  summary: 'Read an alert',
  tag,
  access: memberAccess('alert', 'read'),
  effect: readEffect(),
  params: Id,
  reply: jsonReply(Alert),
  run: async ({ db, caller }, { params: { id } }) => presentAlert(await find(db, caller.workspaceId, id)),
});

const update = operation({
  id: 'alerts.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/alerts/{id}',
  summary: 'Change an alert',
  description: 'A webhook with another address gets a new secret, which the answer shows, once.',
  tag,
  access: memberAccess('alert', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  body: jsonBody(AlertUpdate),
  reply: jsonReply(AlertWithSecret),
  async run({ db, caller, note }, { params: { id }, body: { to, enabled, ...fields } }) {
    const before = await find(db, caller.workspaceId, id);
    await requireSubject(db, caller, { ...presentAlert(before), ...fields });
    note({ metadata: { changed: Object.keys({ ...fields, ...(to && { to }) }) } });
    const { columns, secret } = to ? targetColumns(id, to, before) : { columns: {}, secret: undefined };
    const data = { ...fields, ...columns, isEnabled: enabled, updatedAt: new Date() };
    return { ...presentAlert(await db.alert.update({ where: { id }, data })), secret };
  },
});

const rotateSecret = operation({
  id: 'alerts.rotateSecret',
  method: 'POST',
  path: '/api/alerts/{id}/rotate-secret',
  summary: 'Replace the secret of an alert’s webhook',
  description: 'The answer shows the new secret, once. The old one signs nothing any more.',
  tag,
  access: memberAccess('alert', 'update'),
  effect: writeEffect('configuration_change'),
  params: Id,
  reply: jsonReply(AlertWithSecret),
  async run({ db, caller }, { params: { id } }) {
    const before = await find(db, caller.workspaceId, id);
    if (before.webhook === null) throw conflict('The alert has no webhook.');
    const secret = newAlertSecret();
    const data = { secret: sealAlertSecret(id, secret), updatedAt: new Date() };
    return { ...presentAlert(await db.alert.update({ where: { id }, data })), secret };
  },
});

const remove = operation({
  id: 'alerts.delete',
  method: 'DELETE',
  path: '/api/alerts/{id}',
  summary: 'Delete an alert',
  tag,
  access: memberAccess('alert', 'delete'),
  effect: writeEffect('configuration_change'),
  params: Id,
  async run({ db, caller }, { params: { id } }) {
    await find(db, caller.workspaceId, id);
    await db.alert.delete({ where: { id } });
  },
});

export const alerts = [list, create, get, update, rotateSecret, remove];
