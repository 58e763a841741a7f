import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { listPublicNodeTypes } from '@/server/workflow/nodes';
import { definitionIssues } from './definition';
import { findNodeByPath } from './node-paths';
import { findPinnedNode } from './pins';

type LooseNode = Record<string, unknown>;
const node = (id: string, type: string, more: LooseNode = {}): LooseNode => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config: {},
  ...more,
});
const start = node('s', 'start');
const issuesOf = (...nodes: LooseNode[]) =>
  definitionIssues({ nodes: [start, ...nodes], connections: [] }, { workspaceId: 'ws_1' });
const fieldsOf = async (...nodes: LooseNode[]) => (await issuesOf(...nodes)).map(({ field }) => field);

const body = { nodes: [node('in', 'start')], connections: [] };

describe('each', () => {
  test.each<LooseNode>([
    {},
    { items: 'nodes.s.lines', concurrency: 100, onError: 'continue', onEmpty: 'pass', flatten: true },
    { items: '{{ input.lines }}', onError: 'drop', onEmpty: 'end', concurrency: 1, flatten: false },
    { items: '' },
  ])('may be %j', async (each) => {
    expect(await issuesOf(node('a', 'http_request', { each }))).toEqual([]);
  });

  test.each<[LooseNode | string | null, string]>([
    ['input', 'each'],
    [null, 'each'],
    [{ item: 'input' }, 'each.item'],
    [{ items: 5 }, 'each.items'],
    [{ items: 'input.' }, 'each.items'],
    [{ items: ' '.repeat(10_001) }, 'each.items'],
    [{ concurrency: 0 }, 'each.concurrency'],
    [{ concurrency: 101 }, 'each.concurrency'],
    [{ concurrency: 1.5 }, 'each.concurrency'],
    [{ onError: 'skip' }, 'each.onError'],
    [{ onEmpty: 'fail' }, 'each.onEmpty'],
    [{ flatten: 'yes' }, 'each.flatten'],
  ])('may not be %j', async (each, field) => {
    expect(await fieldsOf(node('a', 'transform', { each }))).toContain(`nodes[1].${field}`);
  });

  test('is taken by every type but those with a list, a start, a response, an ending or an address of their own', async () => {
    const refused = ['start', 'for_each', 'repeat', 'respond', 'wait_for_call', 'form_page', 'form_ending'];
    const types = listPublicNodeTypes();
    expect(
      types
        .filter(({ takesEach }) => !takesEach)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(refused.toSorted());
    for (const { type } of types)
      expect((await fieldsOf(node('a', type, { each: {} }))).includes('nodes[1].each')).toBe(refused.includes(type));
  });

  test('is not taken by the tools of an agent, and checked in the bodies of loops', async () => {
    const tool = { name: 'look', type: 'http_request', config: {}, each: {} };
    expect(await fieldsOf(node('a', 'agent', { config: { tools: [tool] } }))).toContain(
      'nodes[1].config.tools[0].each',
    );
    const inner = { ...body, nodes: [node('in', 'start', { each: {} })] };
    const field = 'nodes[1].config.body.nodes[0].each';
    expect(await fieldsOf(node('l', 'for_each', { config: { items: 'input', body: inner } }))).toEqual([field]);
  });

  test.each(['a[3]', 'a[0].x', 'a[1][2].model'])('refuses the id %s beside a node whose items have it', async (id) => {
    expect(await fieldsOf(node('a', 'transform', { each: {} }), node(id, 'transform'))).toEqual(['nodes[2].id']);
    expect(await fieldsOf(node('a', 'transform'), node(id, 'transform'))).toEqual([]);
  });
});

test('the example of the documentation is valid', async () => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync('docs/build/each.md', 'utf8')) ?? [];
  expect(await issuesOf(JSON.parse(json) as LooseNode)).toEqual([]);
});

describe('paths', () => {
  const tool = { name: 'look', type: 'http_request', config: {} };
  const definition = {
    nodes: [
      node('a', 'transform', { each: {} }),
      node('b', 'transform'),
      node('g', 'agent', { each: {}, config: { tools: [tool] } }),
      node('l', 'for_each', { config: { body: { ...body, nodes: [node('in', 'transform', { each: {} })] } } }),
    ],
    connections: [],
  } as unknown as WorkflowDefinition;

  test.each([
    ['a[3]', 'a'],
    ['a', 'a'],
    ['g[3]', 'g'],
    ['g[3][0].look', 'look'],
    ['l[2].in[5]', 'in'],
    ['a[3].x', undefined],
    ['a[]', undefined],
    ['b[3]', undefined],
    ['g[3].look', undefined],
  ])('%s leads to the node %s', (path, id) => {
    expect(findNodeByPath(definition, path)?.id).toBe(id);
  });

  test.each([
    ['a[]', 'a'],
    ['a[12]', 'a'],
    ['g[][].look', 'look'],
    ['l[].in[]', 'in'],
    ['l[].in', 'in'],
    ['b[]', undefined],
    ['b[1]', undefined],
    ['a[x]', undefined],
  ])('a pin at %s is of the node %s', (path, id) => {
    expect(findPinnedNode(definition, path)?.id).toBe(id);
  });
});
