import { expect, test } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { useDatabase } from '@/server/testing/database';
import { startRun, storeWorkflow } from '@/server/testing/runs';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../../convert';

useDatabase();
useWorker();

const node = (name: string, type: string, parameters: object = {}, typeVersion = 2) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});
const code = (name: string, jsCode: string) => node(name, 'code', { jsCode });
const to = (...names: string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));
const isAtLeast = (least: string | number) =>
  node(
    'Enough?',
    'if',
    {
      conditions: {
        options: { typeValidation: 'loose' },
        conditions: [
          { leftValue: '={{ $json.n }}', rightValue: least, operator: { type: 'number', operation: 'gte' } },
        ],
      },
    },
    2.2,
  );

/** The outputs of the nodes of an imported workflow by their names, after a run. */
async function runImported(nodes: object[], links: Record<string, object[][]>) {
  const connections = Object.fromEntries(Object.entries(links).map(([name, main]) => [name, { main }]));
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
  const execution = await (await startRun(await storeWorkflow(definition), {}, null)).finish();
  const outputs = Object.fromEntries(
    definition.nodes.map(({ id, name }) => [
      name,
      execution.nodeResults.find(({ nodeId }) => nodeId === id)?.output ?? null,
    ]),
  );
  return { definition, report, outputs, error: execution.error };
}

test('a circle is repeated until no item goes back', async () => {
  const nodes = [
    node('Go', 'manualTrigger', {}, 1),
    code('Data', 'return [{ n: 1 }, { n: 3 }];'),
    code('Add', 'return $input.all().map(({ json }) => ({ json: { n: json.n + 1, round: $runIndex } }));'),
    isAtLeast(5),
    code('Told', 'return $input.all().map(({ json }) => ({ json: { n: json.n, round: json.round } }));'),
  ];
  const links = { Go: [to('Data')], Data: [to('Add')], Add: [to('Enough?')], 'Enough?': [to('Told'), to('Add')] };
  const { outputs, error, report } = await runImported(nodes, links);
  expect(error).toBeNull();
  expect(outputs['Told']).toEqual([
    { n: 5, round: 1 },
    { n: 5, round: 3 },
  ]);
  expect(outputs['Enough?']).toEqual(outputs['Told']);
  expect(report.find(({ node: name }) => name === 'Add')).toMatchObject({
    outcome: 'converted',
    message: expect.stringContaining('It fails after 1000 rounds.'),
  });
  expect(report.find(({ node: name }) => name === 'Told')).toMatchObject({
    outcome: 'partly',
    message: expect.stringContaining('n8n runs it more than once'),
  });
});

test('a circle without a way out ends when nothing goes back; circles may have circles inside', async () => {
  const inner = [
    node('Go', 'manualTrigger', {}, 1),
    code('Outer', 'return [{ n: ($input.first().json.n ?? 0) + 1 }];'),
    code('Inner', 'return [{ n: $input.first().json.n, m: ($input.first().json.m ?? 0) + 1 }];'),
    node('Again?', 'filter', {
      conditions: {
        conditions: [{ leftValue: '={{ $json.m }}', rightValue: 3, operator: { type: 'number', operation: 'lt' } }],
      },
    }),
    isAtLeast(2),
    node('End', 'noOp', {}, 1),
  ];
  const links = {
    Go: [to('Outer')],
    Outer: [to('Inner')],
    Inner: [to('Again?', 'Enough?')],
    'Again?': [to('Inner')],
    'Enough?': [to('End'), to('Outer')],
  };
  const { outputs, error } = await runImported(inner, links);
  expect(error).toBeNull();
  expect(outputs['End']).toEqual([
    { n: 2, m: 1 },
    { n: 2, m: 2 },
    { n: 2, m: 3 },
  ]);
});

test('a circle that is entered at two nodes is cut, and says so', async () => {
  const nodes = [node('Go', 'manualTrigger', {}, 1), node('A', 'noOp', {}, 1), node('B', 'noOp', {}, 1)];
  const { report } = await runImported(nodes, { Go: [to('A', 'B')], A: [to('B')], B: [to('A')] });
  expect(report.map(({ message }) => message).join()).toContain('is left out: use the node repeat');
});

test('what is inside of a loop cannot be read from outside', () => {
  const nodes = [
    node('Go', 'manualTrigger', {}, 1),
    node('Loop', 'splitInBatches', {}, 3),
    code('Step', 'return $input.all();'),
    code('After', "return $('Step').all();"),
  ];
  const links = { Go: [to('Loop')], Loop: [to('After'), to('Step')], Step: [to('Loop')] };
  const connections = Object.fromEntries(Object.entries(links).map(([name, main]) => [name, { main }]));
  const { report } = importN8n({ name: 'Theirs', nodes, connections });
  expect(report.find(({ node: name }) => name === 'After')).toMatchObject({
    outcome: 'partly',
    message: expect.stringContaining('It reads “Step”, which is inside of a loop'),
  });
});

test('what looks like the state of a loop is often a word', () => {
  const reportFor = (text: string) => {
    const nodes = [
      node('Go', 'manualTrigger', {}, 1),
      node('Say', 'set', { values: { string: [{ name: 'a', value: text }] } }, 1),
    ];
    return JSON.stringify(importN8n({ name: 'Theirs', nodes, connections: { Go: { main: [to('Say')] } } }).report);
  };
  for (const text of [
    '=Use the context. {{ $json.a }}',
    "={{ $('Go').item.json.context.page }}",
    '={{ $json.context[0] }}',
  ])
    expect(reportFor(text)).not.toContain('of a loop');
  for (const text of [
    '={{ $node["Loop"].context["noItemsLeft"] }}',
    "={{ $('Loop').context.currentRunIndex }}",
    '={{ $node.Loop.context }}',
  ])
    expect(reportFor(text)).toContain('rounds have no state');
});
