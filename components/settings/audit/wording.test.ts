import { expect, test } from 'vitest';
import type { AuditEntryResponse, AuditLogLine } from '@/contract/audit';
import { auditActorName, auditWording } from './wording';

const ID = 'wf_mRKxmRKxmRKxmRKx';
const line = (more: Partial<AuditEntryResponse> = {}, names: Partial<AuditLogLine> = {}): AuditLogLine => ({
  entry: {
    id: 'aud_1',
    timestamp: '2026-03-01T00:00:00.000Z',
    category: 'configuration_change',
    action: 'workflows.delete',
    actor: { type: 'user', id: 'usr_mRKxmRKxmRKxmRKx', email: 'ada@example.com' },
    resource: { type: 'workflow', id: ID },
    result: 'success',
    ...more,
    metadata: { ipAddress: '', userAgent: '', requestId: '', ...more.metadata },
  },
  count: 1,
  since: '2026-03-01T00:00:00.000Z',
  actorName: null,
  resourceName: null,
  ...names,
});
const META = { ipAddress: '', userAgent: '', requestId: '' };

test('an object that exists is named and linked', () => {
  expect(auditWording(line({}, { resourceName: 'Invoices' }))).toEqual({
    before: 'Deleted the workflow ',
    object: { name: 'Invoices', href: `/workflows/${ID}` },
    after: '',
  });
});

test('a deleted object has the name in its entry, otherwise a short id, and no link', () => {
  expect(auditWording(line({ metadata: { ...META, name: 'Bills' } })).object).toEqual({
    name: 'Bills',
    href: undefined,
  });
  expect(auditWording(line()).object).toEqual({ name: 'wf_mRKxmR…', href: undefined });
  expect(auditWording(line({ resource: { type: 'variable', id: 'BASE_URL' } })).object?.name).toBe('BASE_URL');
});

test('a refusal is a try, and saves are counted', () => {
  expect(auditWording(line({ result: 'denied' })).before).toBe('Tried to delete the workflow ');
  expect(auditWording(line({ action: 'drafts.save' }, { count: 12 })).after).toBe(' (12 saves)');
  expect(auditWording(line({ action: 'auth.login' }))).toEqual({ before: 'Signed in', after: '' });
});

test('an actor has a name, an email or a kind', () => {
  expect(auditActorName(line({}, { actorName: 'Ada' }))).toBe('Ada');
  expect(auditActorName(line())).toBe('ada@example.com');
  expect(
    auditActorName(line({ actor: { type: 'api_key', id: 'key_1', email: 'a@b.example' } }, { actorName: 'CI' })),
  ).toBe('API key CI');
  expect(auditActorName(line({ actor: { type: 'anonymous', id: null, email: null } }))).toBe('Not signed in');
});
