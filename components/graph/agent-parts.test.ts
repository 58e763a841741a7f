import { describe, expect, it } from 'vitest';
import type { NodeResult, NodeStatus } from '@/contract/execution';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { listAgentPartCalls, summarizeAgentPartCalls } from './agent-part-calls';
import { buildAgentPartItems } from './agent-part-items';
import {
  agentPartId,
  agentPartsHeight,
  findPartWithField,
  listAgentParts,
  parseAgentPartId,
  partOwnerId,
  replacePartOwner,
} from './agent-parts';
import { fitGroupFrames, buildDefinitionItems, isNodeCardItem } from './canvas-items';
import { addNodeToDefinition } from './edits/edits';
import { layOutDefinition } from './layout/layout';
import { addPartsToWalk, findNeighbourId } from './walk';

const tool = (name: string) => ({ name, type: 'http_request', config: {} });
const agent = (config: object = {}, more: Partial<WorkflowNode> = {}): WorkflowNode => ({
  id: 'support',
  type: 'agent',
  position: { x: 300, y: 0 },
  config: { tools: [tool('search'), tool('refund')], memory: { key: 'k' }, ...config },
  ...more,
});
const other = (id: string, x: number, y: number): WorkflowNode => ({
  id,
  type: 'delay',
  position: { x, y },
  config: {},
});
const kinds = new Map([
  ['agent', { type: 'agent', title: 'AI agent', ports: { inputs: ['input'], outputs: ['output'] } }],
]);
const catalogue = kinds as unknown as ReadonlyMap<string, NodeTypeDescription>;
const cardsOf = (definition: WorkflowDefinition) => buildDefinitionItems(definition, catalogue).filter(isNodeCardItem);

describe('the parts of an agent', () => {
  it('are its model, its memory if it has one, and its tools; those of other nodes are none', () => {
    const ids = (node: WorkflowNode) => listAgentParts(node).map((part) => agentPartId('a', part));
    expect(ids(agent())).toEqual(['a > model', 'a > memory', 'a > tool 0', 'a > tool 1']);
    expect(ids(agent({ memory: undefined, tools: 'x' }))).toEqual(['a > model']);
    expect(listAgentParts(other('a', 0, 0))).toEqual([]);
    expect(agentPartsHeight(other('a', 0, 0))).toBe(0);
  });

  it('have ids that lead back to the agent, also in the frame of a loop', () => {
    expect(parseAgentPartId('loop/a > tool 12')).toEqual({ agentId: 'loop/a', part: { kind: 'tool', index: 12 } });
    expect(parseAgentPartId('a > tool x')).toBeUndefined();
    expect(parseAgentPartId('support')).toBeUndefined();
    expect([partOwnerId('loop/a > model'), partOwnerId('a')]).toEqual(['loop/a', 'a']);
    expect([replacePartOwner('loop/a > model', 'a'), replacePartOwner('loop/a', 'a')]).toEqual(['a > model', 'a']);
  });

  it('have the fields of the agent that their forms show', () => {
    const find = (field: string) => findPartWithField(agent(), field);
    expect(find('credentialId')).toEqual({ kind: 'model' });
    expect(find('config.model')).toEqual({ kind: 'model' });
    expect(find('config.memory.key')).toEqual({ kind: 'memory' });
    expect(find('config.tools[1].config.url')).toEqual({ kind: 'tool', index: 1 });
    expect(find('config.approvals.refund')).toEqual({ kind: 'tool', index: 1 });
    expect(find('config.tools[7].config.url')).toBeUndefined();
    expect(find('config.instructions')).toBeUndefined();
    expect(findPartWithField(other('a', 0, 0), 'credentialId')).toBeUndefined();
  });
});

describe('the cards of the parts', () => {
  it('stand below the agent, move with it, and stay the same for an unchanged agent', () => {
    const definition = { nodes: [other('start', 0, 0), agent()], connections: [] };
    const cards = cardsOf(definition);
    const first = buildAgentPartItems(cards, new Set());
    expect(first.map(({ ariaLabel }) => ariaLabel)).toEqual([
      'Model of agent AI agent',
      'Memory of agent AI agent',
      'Tool search of agent AI agent',
      'Tool refund of agent AI agent',
    ]);
    const [top] = first;
    expect(top?.position.x).toBeGreaterThan(300);
    expect(top?.position.y).toBeGreaterThan(60);
    expect(new Set(first.map(({ position }) => position.y)).size).toBe(4);
    expect(buildAgentPartItems(cards, new Set())).toEqual(first);
    expect(buildAgentPartItems(cards, new Set())[0]).toBe(top);
    const chosen = buildAgentPartItems(cards, new Set(['support > tool 0']));
    expect(chosen.map(({ selected }) => selected)).toEqual([undefined, undefined, true, undefined]);
    expect(chosen[0]).toBe(top);
    const moved = cards.map((card) => ({ ...card, position: { x: card.position.x + 50, y: card.position.y } }));
    expect(buildAgentPartItems(moved, new Set())[0]?.position.x).toBe((top?.position.x ?? 0) + 50);
  });

  it('are hidden with the agent, in a collapsed group', () => {
    const groups = [{ id: 'g', name: 'G', nodeIds: ['support'], isCollapsed: true as const }];
    expect(buildAgentPartItems(cardsOf({ nodes: [agent()], connections: [], groups }), new Set())).toEqual([]);
  });

  it('have room in groups, between new nodes and in the layout', async () => {
    const groups = [{ id: 'g', name: 'G', nodeIds: ['support'] }];
    const items = fitGroupFrames(buildDefinitionItems({ nodes: [agent()], connections: [], groups }, catalogue));
    const frame = items.find(({ type }) => type === 'frame');
    expect(frame?.height).toBeGreaterThan(60 + agentPartsHeight(agent()));

    const delay = { type: 'delay' } as NodeTypeDescription;
    const added = addNodeToDefinition({ nodes: [agent()], connections: [] }, delay, { x: 300, y: 120 }, 'down');
    const place = added.definition.nodes.find(({ id }) => id === added.id)?.position;
    expect(place?.y).toBeGreaterThan(60 + agentPartsHeight(agent()));

    const below = other('below', 300, 110);
    const laidOut = await layOutDefinition({ nodes: [agent(), below], connections: [] }, catalogue);
    const [a = { x: 0, y: 0 }, b = { x: 0, y: 0 }] = [laidOut.get('support'), laidOut.get('below')];
    expect(Math.abs(a.x - b.x) >= 236 || b.y - a.y > 60 + agentPartsHeight(agent()) || a.y > b.y).toBe(true);
  });

  it('are reached by the arrow keys', () => {
    const drawn = addPartsToWalk({
      nodes: [agent(), other('next', 700, 0)],
      connections: [{ sourceNode: 'support', sourcePort: 'output', targetNode: 'next', targetPort: 'input' }],
    });
    const walk = (from: string, ...arrows: ('up' | 'down' | 'right')[]) =>
      arrows.reduce((at, arrow) => findNeighbourId(drawn, at, arrow) ?? at, from);
    expect(walk('support', 'down')).toBe('support > model');
    expect(walk('support', 'down', 'down', 'down')).toBe('support > tool 0');
    expect(walk('support > tool 0', 'up', 'up', 'up')).toBe('support');
    expect(walk('support', 'right')).toBe('next');
  });
});

describe('the calls of the parts', () => {
  const result = (nodeId: string, status: NodeStatus = 'completed'): NodeResult => ({
    nodeId,
    status,
    error: null,
    attempts: 1,
  });
  const shown = [{ drawnId: 'loop/support', place: 'loop[1].support', node: agent() }];

  it('are counted in the shown round, with the state of the last one', () => {
    const results = [
      result('loop[1].support', 'running'),
      result('loop[1].support[0].start'),
      result('loop[1].support[0].model'),
      result('loop[1].support[0].search'),
      result('loop[1].support[0].search#2', 'failed'),
      result('loop[1].support[1].model', 'running'),
      result('loop[1].support[1].refund', 'pending'),
      result('loop[1].support[1].refund.approval', 'paused'),
      result('loop[0].support[0].refund'),
      result('other[0].model'),
    ];
    expect(Object.fromEntries(summarizeAgentPartCalls(results, shown))).toEqual({
      'loop/support > model': { count: 2, status: 'running' },
      'loop/support > tool 0': { count: 2, status: 'failed' },
      'loop/support > tool 1': { count: 0, status: 'paused' },
    });
    const search = { kind: 'tool', index: 0 } as const;
    expect(listAgentPartCalls(results, 'loop[1].support', agent(), search).map(({ nodeId }) => nodeId)).toEqual([
      'loop[1].support[0].search',
      'loop[1].support[0].search#2',
    ]);
  });

  it('show a call that goes on before one that ended after it', () => {
    const results = [result('loop[1].support[0].search', 'running'), result('loop[1].support[0].search#2')];
    expect(summarizeAgentPartCalls(results, shown).get('loop/support > tool 0')).toEqual({
      count: 2,
      status: 'running',
    });
  });
});
