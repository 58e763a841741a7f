import { describe, expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { addLivePreview } from './live-preview';
import { buildPreviewRequest, type LivePreviewSources } from './preview-request';

const node = (id: string, type = 'transform', config: Record<string, unknown> = {}): WorkflowNode => ({
  id,
  type,
  config,
  position: { x: 0, y: 0 },
});
const wire = (text: string) => {
  const [from = '', targetNode = ''] = text.split('>');
  const [sourceNode = '', sourcePort = 'output'] = from.split(':');
  return { sourceNode, sourcePort, targetNode, targetPort: 'input' };
};
const result = (nodeId: string, part: Partial<NodeResult> = {}): [string, NodeResult] => [
  nodeId,
  { nodeId, status: 'completed', output: { of: nodeId }, port: 'output', error: null, attempts: 1, ...part },
];
const kind = (type: string, inputs: string[], outputs: string[]) =>
  [type, { type, ports: { inputs, outputs } } as NodeTypeDescription] as const;
const catalogue = new Map([
  kind('start', [], ['output']),
  kind('transform', ['input'], ['output', 'error']),
  kind('condition', ['input'], ['true', 'false', 'error']),
]);
const build = (nodes: WorkflowNode[], wires: string[], part: Partial<LivePreviewSources>) =>
  buildPreviewRequest({
    definition: { nodes, connections: wires.map(wire) },
    catalogue,
    outdated: new Set(),
    results: new Map(),
    pins: {},
    outer: [],
    dialect: part.definition ?? {},
    input: undefined,
    execution: undefined,
    vars: undefined,
    timeZone: undefined,
    ...part,
  });

describe('a live preview', () => {
  const chain = [node('start', 'start'), node('a'), node('b', 'transform', { expression: 'nodes.start' }), node('c')];
  const wires = ['start>a', 'a>b', 'b>c'];

  it('computes outdated nodes, and sends only the outputs that they read', () => {
    const request = build(chain, wires, {
      outdated: new Set(['b', 'c']),
      results: new Map([result('start'), result('a'), result('b'), result('c')]),
      vars: { key: 1 },
    });
    expect(request?.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(request?.known).toEqual({
      start: { output: { of: 'start' }, port: 'output' },
      a: { output: { of: 'a' }, port: 'output' },
    });
    expect(request?.connections).toEqual([wire('a>b'), wire('b>c')]);
    expect(request?.vars).toEqual({});
  });

  it('ends where what comes in is not known', () => {
    const outdated = new Set(['b', 'c']);
    expect(build(chain, wires, { outdated })).toBeUndefined();
    const omitted = new Map([result('start'), result('a', { output: undefined, omitted: ['output'] })]);
    expect(build(chain, wires, { outdated, results: omitted })).toBeUndefined();
    expect(build(chain, wires, { outdated: new Set(), results: new Map([result('a')]) })).toBeUndefined();
    const branches = [...chain, node('other')];
    const half = build(branches, [...wires, 'other>c'], { outdated, results: new Map([result('a')]) });
    expect(half?.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('takes pins before results, the input of the run for a start, and says what was skipped', () => {
    const pinned = build(chain, wires, { outdated: new Set(['a', 'b', 'c']), pins: { a: 7 }, input: { x: 1 } });
    expect(pinned?.known).toEqual({ a: { output: 7, port: 'output' } });
    const fresh = build(chain, wires, { outdated: new Set(['start', 'a']), input: { x: 1 } });
    expect(fresh).toMatchObject({ input: { x: 1 }, known: {} });
    const forked = [node('if', 'condition'), node('yes'), node('no'), node('end')];
    const request = build(forked, ['if:true>yes', 'if:false>no', 'yes>end', 'no>end'], {
      outdated: new Set(['end']),
      results: new Map([result('yes'), result('no', { status: 'skipped', output: undefined })]),
    });
    expect(request?.known).toMatchObject({ yes: { port: 'output' }, no: { output: null, port: null } });
  });

  it('is not made of too much data or too many nodes', () => {
    const outdated = new Set(['b']);
    const large = new Map([result('a', { output: 'x'.repeat(2_000_001) })]);
    expect(build(chain, wires, { outdated, results: large })).toBeUndefined();
    const long = Array.from({ length: 300 }, (_, at) => node(`n${at}`));
    const request = build(
      long,
      long.slice(1).map((_, at) => `n${at}>n${at + 1}`),
      { outdated: new Set(long.slice(1).map(({ id }) => id)), results: new Map([result('n0')]) },
    );
    expect(request?.nodes).toHaveLength(100);
  });

  it('sends the lists before a node whose expressions ask where items came from, as nodes with their config', () => {
    const outdated = new Set(['c']);
    const results = new Map([result('start'), result('a'), result('b')]);
    const each = (nodes: WorkflowNode[]) =>
      nodes.map((one) => ({ ...one, config: { ...one.config, expression: 'x' } }));
    const last = node('c', 'transform', { expression: 'paired.start' });
    const request = build([...each(chain.slice(0, 3)), last], wires, { outdated, results });
    expect(Object.keys(request?.known ?? {})).toEqual(['start', 'a', 'b']);
    expect(request?.nodes.map(({ config }) => config.expression)).toEqual(['x', 'x', 'x', 'paired.start']);
    expect(request?.connections).toHaveLength(3);
  });

  it('names nodes as the prelude does, with those around a body', () => {
    const named = { ...node('a'), name: 'My list' };
    const last = node('c', 'code', { source: "$('Outer').first(); $('Other')" });
    const definition = { nodes: [node('start', 'start'), named, last], connections: ['start>a', 'a>c'].map(wire) };
    const outer = ['Outer', 'Unused'].map((name) => ({ node: { ...node(name.toLowerCase()), name }, output: name }));
    const request = build([], [], {
      definition,
      dialect: { language: 'javascript', prelude: 'n8n' },
      outdated: new Set(['c']),
      results: new Map([result('start'), result('a')]),
      outer,
      vars: { KEY: 1 },
    });
    expect(request).toMatchObject({ language: 'javascript', prelude: 'n8n', vars: { KEY: 1 } });
    expect(request?.nodes.map(({ id, name }) => [id, name])).toEqual([
      ['start', undefined],
      ['a', 'My list'],
      ['outer', 'Outer'],
      ['c', undefined],
    ]);
    expect(request?.known).toMatchObject({ outer: { output: 'Outer', port: 'output' } });
  });

  it('leads to a known node only if everything before it is sent', () => {
    const forked = [node('start', 'start'), node('if', 'condition'), node('mail'), node('end'), node('other')];
    const request = build(forked, ['start>if', 'if:true>mail', 'mail>end'], {
      outdated: new Set(['if', 'end']),
      results: new Map([result('start')]),
      pins: { mail: 1 },
    });
    expect(request?.connections).toEqual(['start>if', 'if:true>mail', 'mail>end'].map(wire));
    const joined = build(forked, ['start>if', 'if:true>mail', 'other>mail', 'mail>end'], {
      outdated: new Set(['if', 'end']),
      results: new Map([result('start')]),
      pins: { mail: 1 },
    });
    expect(joined?.connections).toEqual(['start>if', 'mail>end'].map(wire));
  });

  it('replaces the results of the run on the canvas, but not those of nodes that it leaves out', () => {
    const ran = new Map([result('loop/a'), result('loop/mail')]);
    const nodes = new Map([
      ['a', { nodeId: 'a', status: 'completed', output: 5, port: 'output', error: null } as const],
      ['mail', { nodeId: 'mail', status: 'stopped', error: null } as const],
      ['late', { nodeId: 'late', status: 'omitted', error: null } as const],
    ]);
    const { results, previewed, notRun } = addLivePreview(ran, { path: ['loop'], nodes }, []);
    expect(results.get('loop/a')).toMatchObject({ output: 5, nodeId: 'loop/a' });
    expect(results.get('loop/mail')).toBe(ran.get('loop/mail'));
    expect([[...previewed], [...notRun]]).toEqual([[['loop/a', 'computed']], ['loop/mail']]);
    expect(addLivePreview(ran, { path: [], nodes }, ['loop']).results).toBe(ran);
    expect(addLivePreview(ran, { path: ['other'], nodes }, ['loop']).previewed.size).toBe(0);
  });
});
