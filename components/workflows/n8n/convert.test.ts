import { describe, expect, it } from 'vitest';
import { Definition } from '@/contract/workflows/workflow';
import { convertN8n } from './convert';
import { n8nFile, type N8nFile } from './n8n-file';

const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  position: [0, 0],
  parameters,
  ...more,
});
const to = (...names: string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));

function imported(nodes: object[], connections: Record<string, object[][]>) {
  const main = Object.fromEntries(Object.entries(connections).map(([name, outputs]) => [name, { main: outputs }]));
  const file = n8nFile({ name: 'Theirs', nodes, connections: main });
  const result = convertN8n(file as N8nFile);
  Definition.parse(result.definition);
  const byId = Object.fromEntries(result.definition.nodes.map((one) => [one.id, one]));
  const links = result.definition.connections.map(
    ({ sourceNode, sourcePort, targetNode }) => `${sourceNode}:${sourcePort}>${targetNode}`,
  );
  return { ...result, byId, links };
}

describe('a file of n8n', () => {
  it('is told from others by the types of its nodes', () => {
    expect(n8nFile({ nodes: [node('A', 'set')], connections: {} })).toBeDefined();
    expect(n8nFile({ nodes: [node('A', '@n8n/n8n-nodes-langchain.agent')], connections: {} })).toBeDefined();
    const own = { id: 'a', type: 'start', position: { x: 0, y: 0 }, config: {} };
    expect(n8nFile({ nodes: [own], connections: [] })).toBeUndefined();
    expect(n8nFile({ nodes: [{ ...own, name: 'A' }], connections: {} })).toBeUndefined();
    expect(n8nFile('text')).toBeUndefined();
  });

  it('becomes a workflow: webhook, set, if, request, answer', () => {
    const { byId, links, report } = imported(
      [
        node('Webhook', 'webhook', { path: 'in' }),
        node('Edit Fields', 'set', {
          assignments: { assignments: [{ name: 'total', value: '={{ $json.body.total }}' }] },
        }),
        node('If', 'if', {
          conditions: {
            combinator: 'and',
            conditions: [{ leftValue: '={{ $json.total }}', operator: { operation: 'gt' }, rightValue: 100 }],
          },
        }),
        node(
          'Call',
          'httpRequest',
          {
            url: "=https://api.example.com/{{ $('Edit Fields').item.json.total }}",
            method: 'POST',
            headerParameters: { parameters: [{ name: 'X-A', value: '1' }] },
            jsonBody: '{"a": 1}',
          },
          { retryOnFail: true, maxTries: 5, credentials: { httpBasicAuth: {} } },
        ),
        node('Answer', 'respondToWebhook', {
          respondWith: 'text',
          responseBody: 'small',
          options: { responseCode: 422 },
        }),
      ],
      { Webhook: [to('Edit Fields')], 'Edit Fields': [to('If')], If: [to('Call'), to('Answer')] },
    );
    expect(links).toEqual(['start:output>edit_fields', 'edit_fields:output>if', 'if:true>call', 'if:false>answer']);
    expect(byId['edit_fields']?.config).toEqual({ fields: { total: '{{ input.body.total }}' } });
    expect(byId['if']?.config).toEqual({ expression: 'input.total > 100' });
    expect(byId['call']).toMatchObject({
      type: 'http_request',
      config: {
        url: 'https://api.example.com/{{ nodes.edit_fields.total }}',
        method: 'POST',
        headers: { 'X-A': '1' },
        body: { a: 1 },
      },
      retry: { maxAttempts: 5 },
    });
    expect(byId['answer']?.config).toEqual({ body: 'small', status: 422 });
    expect(report).toEqual(['**Webhook** (webhook): add it under *Triggers*.', '**Call**: choose its credential.']);
  });

  it('has the nodes of a loop inside the loop', () => {
    const { byId, links } = imported(
      [
        node('Start', 'manualTrigger'),
        node('Loop', 'splitInBatches'),
        node('Wait', 'wait', { amount: 2, unit: 'minutes' }),
        node('Code', 'code', { jsCode: 'return items;' }),
        node('Done', 'noOp'),
      ],
      { Start: [to('Loop')], Loop: [to('Done'), to('Wait')], Wait: [to('Code')], Code: [to('Loop')] },
    );
    expect(links).toEqual(['start:output>loop', 'loop:output>done']);
    expect(byId['loop']).toMatchObject({
      type: 'for_each',
      config: {
        body: {
          nodes: [{ id: 'start' }, { id: 'wait', type: 'delay', config: { durationMs: 120_000 } }, { id: 'code' }],
          connections: [
            { sourceNode: 'start', targetNode: 'wait' },
            { sourceNode: 'wait', targetNode: 'code' },
          ],
        },
      },
    });
  });

  it('routes by a switch, merges, and keeps its notes', () => {
    const rule = (value: string, outputKey: string) => ({
      outputKey,
      conditions: {
        conditions: [{ leftValue: '={{ $json.kind }}', operator: { operation: 'equals' }, rightValue: value }],
      },
    });
    const { byId, links, definition } = imported(
      [
        node('Go', 'manualTrigger'),
        node('Route', 'switch', { rules: { values: [rule('a', 'first'), rule('b', 'second')] } }),
        node('A', 'noOp'),
        node('B', 'noOp'),
        node('Join', 'merge'),
        node('Note', 'stickyNote', { content: 'Look', width: 300 }),
      ],
      { Go: [to('Route')], Route: [to('A'), to('B')], A: [to('Join')], B: [to('Join')] },
    );
    expect(byId['route']?.config).toMatchObject({
      expression: 'input.kind = "a" ? 0 : input.kind = "b" ? 1 : -1',
      cases: [
        { value: 0, port: 'first' },
        { value: 1, port: 'second' },
      ],
    });
    expect(links).toContain('route:second>b');
    expect(byId['join']?.config).toEqual({ mode: 'append', left: 'nodes.a', right: 'nodes.b' });
    expect(definition.notes?.[0]).toMatchObject({ text: 'Look', color: 'gray' });
  });

  it('reports what has no counterpart, and takes circles apart', () => {
    const { byId, links, report, definition } = imported(
      [
        node('Tick', 'scheduleTrigger'),
        node('Agent', '@n8n/n8n-nodes-langchain.agent', { prompt: 'Hello' }),
        node('Text', 'set', {
          values: { string: [{ name: 'a', value: '={{ $json.a.toUpperCase() }}' }] },
          keepOnlySet: true,
        }),
      ],
      { Tick: [to('Agent')], Agent: [to('Text')], Text: [to('Agent')] },
    );
    expect(byId['agent']).toMatchObject({ type: 'transform', config: { expression: 'input' } });
    expect(byId['text']?.config).toEqual({ fields: { a: '(n8n: $json.a.toUpperCase())' } });
    expect(links).toEqual(['start:output>agent', 'agent:output>text']);
    expect(report).toEqual([
      '**Tick** (scheduleTrigger): add it under *Triggers*.',
      '**Agent**: has no counterpart (agent): it passes its input on.',
      '**Text**: the expression `$json.a.toUpperCase()` has no counterpart.',
      '**Agent**: a connection leads back to it, which is not possible; use *Repeat*.',
    ]);
    expect(definition.notes?.[0]?.text).toContain('Imported from n8n');
  });
});
