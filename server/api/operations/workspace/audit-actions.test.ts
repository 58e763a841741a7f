import { expect, test } from 'vitest';
import { AUDIT_ACTIONS, auditSentence } from '@/contract/audit-actions';
import { operationTable } from '..';

/** Entries that are written outside of operations with an audit category. */
const OTHERS =
  'auth.login auth.sso auth.refresh auth.recover auth.mapRoles workspace.export workspace.import webhooks.unsubscribe'.split(
    ' ',
  );

test('every action of the audit log has a sentence, and there is no other', () => {
  const audited = operationTable.filter(({ effect }) => effect.kind !== 'read').map(({ id }) => id);
  expect([...AUDIT_ACTIONS].toSorted()).toEqual([...new Set([...audited, ...OTHERS])].toSorted());
});

test('a sentence says whether the action succeeded', () => {
  expect(auditSentence('workflows.delete', true)).toBe('Deleted the workflow {name}');
  expect(auditSentence('workflows.delete', false)).toBe('Tried to delete the workflow {name}');
  expect(auditSentence('auth.login', false)).toBe('Tried to sign in');
  expect(auditSentence('roles.list', false)).toBe('Tried to call roles.list');
});
