import { expect, test } from 'vitest';
import type { AuditEntryResponse } from '@/contract/audit';
import { EntryGrouping } from './entry-groups';

let minute = 1000;
const entry = (
  action: string,
  actor: string,
  workflow: string,
  more: Partial<AuditEntryResponse> = {},
): AuditEntryResponse => {
  minute -= 1;
  return {
    id: `aud_${minute}`,
    timestamp: new Date(minute * 60_000).toISOString(),
    category: 'configuration_change',
    action,
    actor: { type: 'user', id: actor, email: null },
    resource: { type: 'workflow', id: workflow },
    result: 'success',
    ...more,
    metadata: { ipAddress: '', userAgent: '', requestId: '', changed: ['definition'], ...more.metadata },
  };
};
const save = (actor: string, workflow: string, changed: string[] = ['definition']) =>
  entry('drafts.save', actor, workflow, { metadata: { ipAddress: '', userAgent: '', requestId: '', changed } });

function grouped(entries: AuditEntryResponse[], isGrouped = true): [string, number][] {
  const grouping = new EntryGrouping(isGrouped);
  for (const one of entries) expect(grouping.take(one, 100)).toBe(true);
  return grouping.groups.map(({ entry: { id }, count }) => [id, count]);
}
const counts = (entries: AuditEntryResponse[], isGrouped = true) =>
  grouped(entries, isGrouped).map(([, count]) => count);

test('saves of one workflow by one user are one group, which knows its bounds', () => {
  const entries = [save('a', 'w'), entry('workflows.update', 'a', 'w'), save('a', 'w')];
  const grouping = new EntryGrouping(true);
  for (const one of entries) grouping.take(one, 1);
  expect(grouping.groups).toEqual([{ entry: entries[0], count: 3, since: entries[2]?.timestamp }]);
});

test('what others do meanwhile does not separate saves; what the same user does, does', () => {
  expect(counts([save('a', 'w'), save('b', 'w'), save('a', 'w'), save('b', 'w')])).toEqual([2, 2]);
  expect(counts([save('a', 'w'), entry('workflows.execute', 'b', 'w'), save('a', 'w')])).toEqual([2, 1]);
  expect(counts([save('a', 'w'), entry('workflows.execute', 'a', 'w'), save('a', 'w')])).toEqual([1, 1, 1]);
  expect(counts([save('a', 'w'), save('a', 'v'), save('a', 'w')])).toEqual([1, 1, 1]);
});

test('only saves of content that succeeded are grouped', () => {
  expect(counts([save('a', 'w', ['status']), save('a', 'w', ['definition', 'status'])])).toEqual([1, 1]);
  expect(counts([save('a', 'w', []), save('a', 'w', [])])).toEqual([1, 1]);
  const denied = () => entry('drafts.save', 'a', 'w', { result: 'denied' });
  expect(counts([denied(), denied()])).toEqual([1, 1]);
  const deleted = () => entry('workflows.delete', 'a', 'w');
  expect(counts([deleted(), deleted()])).toEqual([1, 1]);
});

test('a pause of more than half an hour separates saves', () => {
  const entries = [save('a', 'w')];
  minute -= 30;
  entries.push(save('a', 'w'));
  expect(counts(entries)).toEqual([1, 1]);
});

test('without grouping each entry is by itself', () => {
  expect(counts([save('a', 'w'), save('a', 'w')], false)).toEqual([1, 1]);
});

test('a full page still takes what joins its groups', () => {
  const grouping = new EntryGrouping(true);
  expect(grouping.take(save('a', 'w'), 1)).toBe(true);
  expect(grouping.take(save('a', 'w'), 1)).toBe(true);
  expect(grouping.take(save('b', 'w'), 1)).toBe(false);
  expect(grouping.groups).toMatchObject([{ count: 2 }]);
});
