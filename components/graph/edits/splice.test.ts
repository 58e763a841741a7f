import { describe, expect, it } from 'vitest';
import { selectionToJson, pasteDefinition, parseClipboard } from './clipboard';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { indexNodeTypes } from '../cards-and-edges';
import { layOutDefinition } from '../layout/layout';
import {
  addNodeAfter,
  addNodeAtEnd,
  insertOnConnection,
  removeAndReconnect,
  replaceNodeType,
  spliceNode,
} from './insert-nodes';
import { draw, kind, node, START, connection } from '../testing/graph';
import { findNeighbourId, reachableNodeIds } from '../walk';

const fields = { configSchema: { properties: { url: {} } } };
const step = kind('step', {}, fields);
const fork = kind('fork', { outputs: ['true', 'false'] }, fields);
const catalogue = indexNodeTypes([step, fork, START]);

const chain = draw(
  [node('start', {}, { type: 'start' }), node('a', {}, { x: 300 }), node('b', {}, { x: 600 })],
  'start>a',
  'a>b',
);

describe('inserting', () => {
  it('inserts a new node on a connection and makes room for it', () => {
    const added = insertOnConnection(chain, catalogue, step, connection('a', 'b'));
    expect(added?.definition.connections).toEqual([
      connection('start', 'a'),
      connection('a', 'step'),
      connection('step', 'b'),
    ]);
    expect(added?.definition.nodes.map(({ id, position }) => [id, position.x])).toEqual([
      ['start', 0],
      ['a', 300],
      ['b', 900],
      ['step', 600],
    ]);
  });

  it('inserts an unconnected node on a connection, but no start node', () => {
    const loose = { ...chain, connections: [connection('start', 'b')] };
    expect(spliceNode(loose, catalogue, 'a', connection('start', 'b')).connections).toEqual([
      connection('start', 'a'),
      connection('a', 'b'),
    ]);
    expect(spliceNode(chain, catalogue, 'start', connection('a', 'b'))).toBe(chain);
  });

  it('adds a node after another one: at a free output, on its only connection, or beside what follows', () => {
    const end = kind('end', { outputs: [] });
    const all = indexNodeTypes([step, fork, START, end]);
    const after = (definition: WorkflowDefinition, id: string, type = step) => {
      const previous = definition.nodes.find((one) => one.id === id);
      if (!previous) throw new Error(`There is no ${id}`);
      return addNodeAfter(definition, all, type, previous);
    };
    expect(after(chain, 'b').definition.connections.at(-1)).toEqual(connection('b', 'step'));
    expect(after(chain, 'a').definition.connections.slice(1)).toEqual([
      connection('a', 'step'),
      connection('step', 'b'),
    ]);
    const forked = after(chain, 'b', fork);
    const first = after(forked.definition, forked.id);
    expect(first.definition.connections.at(-1)).toEqual(connection('fork', 'step', 'true'));
    const second = after(first.definition, forked.id);
    expect(second.definition.connections.at(-1)).toEqual(connection('fork', 'step_2', 'false'));

    const fanned = draw([node('a'), node('b', {}, { x: 300 }), node('c', {}, { x: 300 })], 'a>b', 'a>c');
    const beside = after(fanned, 'a');
    expect(beside.definition.connections).toEqual([...fanned.connections, connection('a', 'step')]);
    expect(beside.definition.nodes.at(-1)?.position).toEqual({ x: 300, y: 110 });
    expect(after(chain, 'a', end).definition.connections).toEqual([...chain.connections, connection('a', 'end')]);
  });

  it('connects a new node to the port of the dragged connection', () => {
    const ahead = addNodeAtEnd(
      chain,
      catalogue,
      fork,
      { nodeId: 'b', port: 'error', type: 'source' },
      { x: 900, y: 200 },
    );
    expect(ahead.definition.connections.at(-1)).toEqual(connection('b', 'fork', 'error'));
    const behind = addNodeAtEnd(
      chain,
      catalogue,
      fork,
      { nodeId: 'b', port: 'input', type: 'target' },
      { x: 0, y: 200 },
    );
    expect(behind.definition.connections.at(-1)).toEqual(connection('fork', 'b', 'true'));
  });
});

describe('removing and replacing', () => {
  it('connects the nodes before and after a removed one', () => {
    expect(removeAndReconnect(chain, catalogue, ['a']).connections).toEqual([connection('start', 'b')]);
    const longer = {
      nodes: [...chain.nodes, { id: 'c', type: 'step', position: { x: 900, y: 0 }, config: {} }],
      connections: [...chain.connections, connection('b', 'c')],
    };
    expect(removeAndReconnect(longer, catalogue, ['a', 'b']).connections).toEqual([connection('start', 'c')]);
  });

  it('leaves branches unconnected', () => {
    const parted = { ...chain, connections: [...chain.connections, connection('start', 'b')] };
    expect(removeAndReconnect(parted, catalogue, ['start']).connections).toEqual([connection('a', 'b')]);
  });

  it('keeps “for each item” only where the new type can have it', () => {
    const each = { ...chain, nodes: chain.nodes.map((node) => ({ ...node, each: {} })) };
    const [same, other] = [{ ...fork, takesEach: true as const }, fork].map((type) =>
      replaceNodeType(each, catalogue, 'a', type).nodes.find(({ id }) => id === 'a'),
    );
    expect(same?.each).toEqual({});
    expect(other).not.toHaveProperty('each');
  });

  it('keeps the connections of a replaced node that fit its ports', () => {
    const replaced = replaceNodeType(chain, catalogue, 'a', fork);
    expect(replaced.nodes[1]).toMatchObject({ id: 'a', type: 'fork' });
    expect(replaced.connections).toEqual([connection('start', 'a'), connection('a', 'b', 'true')]);
  });
});

describe('the clipboard', () => {
  const written = {
    ...chain,
    nodes: chain.nodes.map((node) =>
      node.id === 'b'
        ? { ...node, credentialId: 'cred_1', config: { url: '{{ nodes.a.body }}/{{ nodes.start.x }}' } }
        : node,
    ),
  };

  it('has no credentials, and copies refer to copies', async () => {
    const text = selectionToJson(written, new Set(['a', 'b']), 'jsonata');
    expect(text).not.toContain('cred_1');
    const copied = await parseClipboard(text);
    const pasted = copied && pasteDefinition(written, copied, { x: 1000, y: 500 });
    expect(pasted?.ids).toEqual(['step', 'step_2']);
    expect(pasted?.definition.connections.at(-1)).toEqual(connection('step', 'step_2'));
    expect(pasted?.definition.nodes.at(-1)).toMatchObject({
      position: { x: 1300, y: 500 },
      config: { url: '{{ nodes.step.body }}/{{ nodes.start.x }}' },
    });
  });

  it('accepts a whole workflow, and rejects other texts', async () => {
    expect((await parseClipboard(JSON.stringify({ name: 'x', definition: chain })))?.nodes).toHaveLength(3);
    for (const text of ['hello', '{}', '[1]', 'null', '{"nodes":[],"connections":[]}', '{"nodes":1}'])
      expect(await parseClipboard(text)).toBeUndefined();
  });
});

describe('navigation', () => {
  it('follows connections and finds neighbours', () => {
    expect(findNeighbourId(chain, 'a', 'right')).toBe('b');
    expect(findNeighbourId(chain, 'a', 'left')).toBe('start');
    expect(findNeighbourId(chain, 'a', 'up')).toBeUndefined();
  });

  it('finds upstream and downstream nodes', () => {
    expect([...reachableNodeIds(chain, ['a'], 'downstream')]).toEqual(['a', 'b']);
    expect([...reachableNodeIds(chain, ['a'], 'upstream')]).toEqual(['a', 'start']);
  });

  it('lays out columns from left to right', async () => {
    const heap = { ...chain, nodes: chain.nodes.map((node) => ({ ...node, position: { x: 10, y: 20 } })) };
    const places = await layOutDefinition(heap, catalogue);
    expect(places.get('start')).toEqual({ x: 10, y: 20 });
    expect(places.get('b')?.x).toBeGreaterThan(places.get('a')?.x ?? Infinity);
  });
});
