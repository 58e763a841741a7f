import { expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importN8n } from './convert';

const linksOf = ({ connections }: WorkflowDefinition) =>
  connections.map(({ sourceNode, sourcePort, targetNode }) => `${sourceNode}:${sourcePort}>${targetNode}`);
const node = (name: string, type: string, parameters: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters,
  typeVersion: 3.4,
  position: [0, 0],
});
const to = (...names: string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));
const assigned = (...fields: (readonly [string, unknown])[]) => ({
  assignments: { assignments: fields.map(([name, value]) => ({ name, value, type: 'string' })) },
});

function imported(nodes: object[], links: Record<string, object[][]>) {
  const connections = Object.fromEntries(Object.entries(links).map(([name, main]) => [name, { main }]));
  const result = importN8n({ name: 'Theirs', nodes, connections });
  const byId = Object.fromEntries(result.definition.nodes.map((one) => [one.id, one]));
  const said = Object.fromEntries(result.report.map(({ node: name, outcome, message }) => [name, [outcome, message]]));
  return { ...result, byId, said, links: linksOf(result.definition) };
}

test('nodes in one line are repeated until a condition holds', async () => {
  const ask = node('Ask', 'httpRequest', { url: '=https://example.com/{{ $json.id }}' });
  const isDone = (more: object = {}) =>
    node('Done?', 'if', {
      conditions: {
        conditions: [
          { leftValue: '={{ $json.status }}', rightValue: 'done', operator: { type: 'string', operation: 'equals' } },
        ],
      },
      ...more,
    });
  const told = node(
    'Told',
    'set',
    assigned(['state', '={{ $json.status }}'], ['same', "={{ $('Ask').item.json.id }}"]),
  );
  const nodes = [node('Go', 'manualTrigger'), node('Wait', 'wait', { amount: 30 }), ask, isDone(), told];
  const connections = { Go: [to('Wait')], Wait: [to('Ask')], Ask: [to('Done?')], 'Done?': [to('Told'), to('Wait')] };
  const { byId, links, said, definition } = imported(nodes, connections);
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
  expect(links).toEqual(['start:output>done', 'done:output>told']);
  const { until, body } = (byId['done']?.config ?? {}) as { until: string; body: WorkflowDefinition };
  expect([byId['done']?.type, until]).toEqual(['repeat', 'output.isDone']);
  expect(linksOf(body)).toEqual(['done_round:output>wait', 'wait:output>ask', 'ask:output>done_end']);
  expect(body.nodes.find(({ id }) => id === 'ask')?.config['url']).toBe(
    'https://example.com/{{ (nodes.done_round.index = 0 ? execution.input : nodes.done_round.previous.item).id }}',
  );
  expect(body.nodes.at(-1)?.config['expression']).toBe(
    '{ "item": nodes.ask.body, "isDone": (nodes.ask.body.status = "done") ? true : false }',
  );
  expect(byId['told']?.config['fields']).toMatchObject({ state: '{{ input.last.item.status }}' });
  expect(said['Done?']).toEqual(['partly', expect.stringContaining('It fails after 1000 rounds.')]);

  // With a second way out of the loop, the connection back is left out.
  const branched = imported([...nodes, node('Log', 'noOp')], { ...connections, Ask: [to('Done?', 'Log')] });
  expect(branched.said['Done?']?.[1]).toContain('is left out: use the node repeat');
});
