import { expect, test } from 'vitest';
import { removeDuplicateItems } from '@/server/evaluation/evaluator/program/prelude/n8n/nodes/remove-duplicates';
import { addDigest } from '@/server/evaluation/evaluator/program/prelude/n8n/nodes/crypto';
import { mergeLists } from '@/server/evaluation/evaluator/program/prelude/n8n/nodes/merge';
import { importN8n } from '../convert';

const item = { json: { id: 1 } };

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} };
/** The entry of the report about a node behind a start. */
function reportNode(type: string, typeVersion: number, parameters: object) {
  const node = { name: 'X', type: `n8n-nodes-base.${type}`, typeVersion, position: [200, 0], parameters };
  const connections = { Start: { main: [[{ node: 'X', type: 'main', index: 0 }]] } };
  const { report } = importN8n({ name: 'Lacks', nodes: [START, node], connections });
  return report.find(({ node: name }) => name === 'X');
}

/** Settings without a counterpart: the report has a task, and the function fails instead of giving something else. */
test.each([
  ['merge', 3, { mode: 'combineBySql' }, (set: object) => mergeLists(3, set as never, [[item], [item]])],
  [
    'removeDuplicates',
    2,
    { operation: 'removeItemsSeenInPreviousExecutions', logic: 'removeItemsUpToStoredDate' },
    (set: object) => removeDuplicateItems(2, set as never, [item]),
  ],
  ['crypto', 1, { action: 'sign', value: 'a' }, (set: object) => addDigest(set as never, item)],
  ['crypto', 1, { action: 'hash', binaryData: true }, (set: object) => addDigest(set as never, item)],
] as const)('%s %s without a counterpart is said, and fails: %j', (type, typeVersion, parameters, run) => {
  expect(reportNode(type, typeVersion, parameters)).toMatchObject({
    outcome: 'partly',
    message: expect.stringContaining('has no counterpart here') as unknown,
  });
  expect(() => run(parameters)).toThrow('has no counterpart');
});

test('what a node leaves out is a task', () => {
  const values = Array.from({ length: 51 }, () => ({ conditions: {} }));
  expect(reportNode('switch', 3, { rules: { values } })?.message).toContain('after the 50th are left out');
  const entries = [{ name: '={{ $json.name }}', value: 'x' }];
  const options = { responseHeaders: { entries } };
  expect(reportNode('respondToWebhook', 1, { respondWith: 'noData', options })?.message).toContain('other headers');
});

test('a text that is too long for an expression is no part of the definition', () => {
  const values = { string: [{ name: 'page', value: '<p>'.repeat(30_000) }] };
  expect(reportNode('set', 1, { values })).toMatchObject({
    outcome: 'placeholder',
    message: expect.stringContaining('too long') as string,
  });
});
