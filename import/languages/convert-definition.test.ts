import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { convertDefinition, markUnreviewed } from './convert-definition';

const node = (id: string, type: string, config: Record<string, unknown>): WorkflowNode => ({
  id,
  type,
  config,
  position: { x: 0, y: 0 },
});
const SCHEMAS: Record<string, Record<string, unknown>> = {
  transform: { properties: { expression: { 'x-expression': true } } },
  code: { properties: { code: { 'x-editor': 'javascript' } } },
  filter: { properties: { where: { 'x-expression': true, 'x-literal': true, 'x-scope': ['entry', 'place'] } } },
  http_request: {
    properties: { pages: { 'x-literal': true, properties: { until: { 'x-expression': true, 'x-scope': ['last'] } } } },
  },
};
const definition: WorkflowDefinition = {
  nodes: [
    node('t', 'transform', { expression: 'input.a & "!"' }),
    node('c', 'code', { code: 'return input.a' }),
    node('f', 'filter', { where: 'entry.n > 1 and place = 0', note: 'no expression' }),
    node('h', 'http_request', {
      url: 'https://x/{{ input.id }}/{{ nodes.t }}',
      headers: { a: ['{{ input.b[0] }}'] },
      pages: { until: 'last.n = 0', size: 'input.not' },
    }),
    node('l', 'for_each', {
      items: '{{ input }}',
      body: { nodes: [node('i', 'transform', { expression: 'input.item' })], connections: [] },
    }),
    node('agent', 'agent', { tools: [{ name: 'one', type: 'transform', config: { expression: 'input.x' } }] }),
  ],
  connections: [],
};
const findSchema = (type: string) => SCHEMAS[type];

describe('a definition in another language', () => {
  it('has every expression in it, and nothing else changed', () => {
    const { definition: next, converted, refused } = convertDefinition(definition, 'javascript', findSchema);
    expect(refused).toEqual([]);
    expect(next.language).toBe('javascript');
    expect(next.nodes.map(({ config }) => config)).toEqual([
      { expression: '"" + (input?.a ?? "") + "!"' },
      { code: 'return input.a' },
      { where: 'entry?.n > 1 && place === 0', note: 'no expression' },
      {
        url: 'https://x/{{ input?.id }}/{{ nodes.t }}',
        headers: { a: ['{{ input?.b?.[0] }}'] },
        pages: { until: 'last?.n === 0', size: 'input.not' },
      },
      {
        items: '{{ input }}',
        body: { nodes: [{ ...node('i', 'transform', { expression: 'input?.item' }) }], connections: [] },
      },
      { tools: [{ name: 'one', type: 'transform', config: { expression: 'input?.x' } }] },
    ]);
    expect(converted.map(({ path, nodeId, field }) => [...path, nodeId, field].join(' '))).toEqual([
      't config.expression',
      'f config.where',
      'h config.url',
      'h config.headers.a[0]',
      'h config.pages.until',
      'l config.items',
      'l i config.expression',
      'agent config.tools[0].config.expression',
    ]);
    expect(convertDefinition(definition, 'jsonata', findSchema).definition).toBe(definition);
  });

  it('names what can’t be converted, and leaves it', () => {
    const odd = { nodes: [node('t', 'transform', { expression: 'input.a^(b)' })], connections: [] };
    const { definition: next, refused } = convertDefinition(odd, 'javascript', findSchema);
    expect(refused).toMatchObject([{ nodeId: 't', field: 'config.expression', source: 'input.a^(b)' }]);
    expect(next.nodes[0]?.config).toEqual({ expression: 'input.a^(b)' });
  });

  it('carries marks at the fields that somebody has to look at, in loops too', () => {
    const place = { path: ['l'], nodeId: 'i', field: 'config.expression', source: 'input.item', reason: 'why' };
    const marked = markUnreviewed(definition, [place], 'jsonata');
    const body = marked.nodes[4]?.config['body'] as WorkflowDefinition;
    expect(body.nodes[0]?.unreviewed).toEqual([
      { field: 'config.expression', source: 'input.item', reason: 'why', language: 'jsonata' },
    ]);
    expect(marked.nodes[0]).not.toHaveProperty('unreviewed');
  });
});
