import { expect, test } from 'vitest';
import { removeDuplicateItems } from '@/server/evaluation/evaluator/program/prelude/n8n/nodes/remove-duplicates';
import { addDigest } from '@/server/evaluation/evaluator/program/prelude/n8n/nodes/crypto';
import { mergeLists } from '@/server/evaluation/evaluator/program/prelude/n8n/nodes/merge';
import { importN8n } from '../convert';

const item = { json: { id: 1 } };

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} };
/** The entry of the report about a node behind a start. */
function reportNode(type: string, typeVersion: number, parameters: object, more: object = {}) {
  const node = { ...more, name: 'X', type: `n8n-nodes-base.${type}`, typeVersion, position: [200, 0], parameters };
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

test('a template that is the example of n8n is asked for', () => {
  expect(reportNode('html', 1.2, {})).toMatchObject({ outcome: 'partly', choices: [{ field: 'config.expression' }] });
  expect(reportNode('html', 1.2, { html: '<p>{{ $json.a }}</p>' })?.outcome).toBe('converted');
});

test('a text that is too long for an expression is no part of the definition', () => {
  const values = { string: [{ name: 'page', value: '<p>'.repeat(30_000) }] };
  expect(reportNode('set', 1, { values })).toMatchObject({
    outcome: 'placeholder',
    message: expect.stringContaining('too long') as string,
  });
});

test('names of n8n are missed where they are evaluated, and not in prose or in the fields of an item', () => {
  const say = (value: string) =>
    reportNode('set', 3, { fields: { values: [{ name: 'a', stringValue: value }] } })?.message ?? '';
  const code = (jsCode: string) => reportNode('code', 2, { jsCode })?.message ?? '';
  for (const text of [
    'The context. Read $parameter, .params and $env.',
    '=More context: {{ $json.params.id }} {{ $json.context.user }}',
  ])
    expect(say(text)).toBe('');
  expect(code('const url = new Request(); return [{ json: { context: url.params } }];')).toBe('');
  expect(say("={{ $('X').params.url }}")).toContain('.params');
  expect(say("={{ $node['Loop'].context['noItemsLeft'] }}")).toContain('reads of a loop');
  expect(code("const { context } = $('Loop');\nreturn [{ json: $('Loop').context }];")).toContain('reads of a loop');
  expect(say('=See {{ $env.WEBHOOK_URL }}')).toBe('');
  for (const text of ['={{ $env.WEBHOOK_URL }}webhook/x', '={{ $env.WEBHOOK_URL + "rest/settings" }}'])
    expect(say(text)).toContain('the environment of n8n: WEBHOOK_URL');
  expect(say('={{ $env.WEBHOOK_URL }}{{ $env.KEY }}')).toContain('the environment of n8n: WEBHOOK_URL, KEY');
  expect(code('return [{ json: { key: $env.KEY } }];')).toContain('the environment of n8n: KEY');
});

test('a limit until a date is to enter, and what fails before a node is said', () => {
  const limit = { limitWaitTime: true, limitType: 'atSpecifiedTime', maxDateAndTime: '2030-01-01T00:00:00' };
  expect(reportNode('wait', 1.1, { resume: 'webhook', ...limit })?.message).toContain('Enter how long it waits');
  const options = { limitWaitTime: { values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2030-01-01' } } };
  const ask = { operation: 'sendAndWait', sendTo: 'a@example.com', options };
  expect(reportNode('gmail', 2, ask)?.message).toContain('Enter how long it waits');
  const node = { onError: 'continueRegularOutput' };
  const seen = { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.id }}' };
  for (const [type, parameters] of [['gmail', ask] as const, ['removeDuplicates', seen] as const])
    expect(reportNode(type, 2, parameters, node)?.message).toContain('A failure of it ends the run');
});

test('a digest that Weft does not compute is a task', () => {
  expect(reportNode('crypto', 1, { type: 'RIPEMD160', value: 'a' })?.message).toContain('RIPEMD160 has no counterpart');
  expect(reportNode('crypto', 1, { type: 'SHA3-256', value: 'a' })?.outcome).toBe('converted');
});

test.each([
  ['const answer = await fetch("https://a.example");', 'converted'],
  ['try { await fetch("https://a.example"); } catch (error) { console.log(error.message); }', 'converted'],
  ['try { await fetch("https://a.example"); } catch { /* nothing */ }', 'converted'],
  ['try { await fetch("https://a.example"); } catch (error) { return [{ why: error.message }]; }', 'converted'],
  ['return go().catch((reason) => fetch(reason));', 'converted'],
  ['try { return typeof fetch; } catch (error) { return fetch(error); }', 'partly'],
  ['return typeof process === "undefined" ? [] : process.env;', 'converted'],
  ['const a = $json.fetch(1); const b = store.process.id;', 'converted'],
  ['const modules = require("axios");', 'partly'],
])('code that names what n8n has not either fails in both: %s', (jsCode, outcome) => {
  expect(reportNode('code', 2, { jsCode })?.outcome).toBe(outcome);
});

test('the nodes before the code node have the name process', () => {
  const functionCode = 'return [{ json: { mode: process.env.MODE } }];';
  expect(reportNode('function', 1, { functionCode })?.message).toContain('names process, which does not exist here');
});
