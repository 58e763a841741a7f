import { describe, expect, it } from 'vitest';
import { clip, paste, readClip } from './clip';
import { catalogueOf } from './flow';
import { layout } from './layout';
import { addAtEnd, insertOn, removeAndHeal, replaceNode, splice } from './splice';
import { draw, kind, node, START, wire } from './testing/graph';
import { neighbour, reach } from './walk';

const fields = { configSchema: { properties: { url: {} } } };
const step = kind('step', {}, fields);
const fork = kind('fork', { outputs: ['true', 'false'] }, fields);
const catalogue = catalogueOf([step, fork, START]);

const chain = draw(
  [node('start', {}, { type: 'start' }), node('a', {}, { x: 300 }), node('b', {}, { x: 600 })],
  'start>a',
  'a>b',
);

describe('inserting', () => {
  it('puts a new node into a connection and makes room for it', () => {
    const added = insertOn(chain, catalogue, step, wire('a', 'b'));
    expect(added?.definition.connections).toEqual([wire('start', 'a'), wire('a', 'step'), wire('step', 'b')]);
    expect(added?.definition.nodes.map(({ id, position }) => [id, position.x])).toEqual([
      ['start', 0],
      ['a', 300],
      ['b', 900],
      ['step', 600],
    ]);
  });

  it('puts a loose node into a connection, and a start node into none', () => {
    const loose = { ...chain, connections: [wire('start', 'b')] };
    expect(splice(loose, catalogue, 'a', wire('start', 'b')).connections).toEqual([wire('start', 'a'), wire('a', 'b')]);
    expect(splice(chain, catalogue, 'start', wire('a', 'b'))).toBe(chain);
  });

  it('joins a new node to the port that it was drawn from', () => {
    const ahead = addAtEnd(chain, catalogue, fork, { nodeId: 'b', port: 'error', type: 'source' }, { x: 900, y: 200 });
    expect(ahead.definition.connections.at(-1)).toEqual(wire('b', 'fork', 'error'));
    const behind = addAtEnd(chain, catalogue, fork, { nodeId: 'b', port: 'input', type: 'target' }, { x: 0, y: 200 });
    expect(behind.definition.connections.at(-1)).toEqual(wire('fork', 'b', 'true'));
  });
});

describe('removing and replacing', () => {
  it('joins what stood before and after the removed', () => {
    expect(removeAndHeal(chain, catalogue, ['a']).connections).toEqual([wire('start', 'b')]);
    const longer = {
      nodes: [...chain.nodes, { id: 'c', type: 'step', position: { x: 900, y: 0 }, config: {} }],
      connections: [...chain.connections, wire('b', 'c')],
    };
    expect(removeAndHeal(longer, catalogue, ['a', 'b']).connections).toEqual([wire('start', 'c')]);
  });

  it('guesses nothing where ways part', () => {
    const parted = { ...chain, connections: [...chain.connections, wire('start', 'b')] };
    expect(removeAndHeal(parted, catalogue, ['start']).connections).toEqual([wire('a', 'b')]);
  });

  it('keeps the connections of a replaced node where its ports allow it', () => {
    const replaced = replaceNode(chain, catalogue, 'a', fork);
    expect(replaced.nodes[1]).toMatchObject({ id: 'a', type: 'fork' });
    expect(replaced.connections).toEqual([wire('start', 'a'), wire('a', 'b', 'true')]);
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

  it('carries no credential, and copies speak of copies', async () => {
    const text = clip(written, new Set(['a', 'b']));
    expect(text).not.toContain('cred_1');
    const copied = await readClip(text);
    const pasted = copied && paste(written, copied, { x: 1000, y: 500 });
    expect(pasted?.ids).toEqual(['step', 'step_2']);
    expect(pasted?.definition.connections.at(-1)).toEqual(wire('step', 'step_2'));
    expect(pasted?.definition.nodes.at(-1)).toMatchObject({
      position: { x: 1300, y: 500 },
      config: { url: '{{ nodes.step.body }}/{{ nodes.start.x }}' },
    });
  });

  it('takes a whole workflow, and nothing that is none', async () => {
    expect((await readClip(JSON.stringify({ name: 'x', definition: chain })))?.nodes).toHaveLength(3);
    for (const text of ['hello', '{}', '[1]', 'null', '{"nodes":[],"connections":[]}', '{"nodes":1}'])
      expect(await readClip(text)).toBeUndefined();
  });
});

describe('finding one’s way', () => {
  it('walks along connections and to neighbours', () => {
    expect(neighbour(chain, 'a', 'right')).toBe('b');
    expect(neighbour(chain, 'a', 'left')).toBe('start');
    expect(neighbour(chain, 'a', 'up')).toBeUndefined();
  });

  it('knows what comes before and after', () => {
    expect([...reach(chain, ['a'], 'downstream')]).toEqual(['a', 'b']);
    expect([...reach(chain, ['a'], 'upstream')]).toEqual(['a', 'start']);
  });

  it('tidies into columns from left to right', async () => {
    const heap = { ...chain, nodes: chain.nodes.map((node) => ({ ...node, position: { x: 10, y: 20 } })) };
    const places = await layout(heap, catalogue);
    expect(places.get('start')).toEqual({ x: 10, y: 20 });
    expect(places.get('b')?.x).toBeGreaterThan(places.get('a')?.x ?? Infinity);
  });
});
