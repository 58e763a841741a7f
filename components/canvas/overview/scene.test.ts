import { expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { buildCanvasEdges } from '@/components/graph/cards-and-edges';
import { drawnIdMapper } from '@/components/graph/groups';
import { EMPTY_CANVAS_BADGES } from '../canvas-badges';
import { connectionNearPoint } from './connection-near-point';
import { buildOverviewScene } from './scene';

const DEFINITION: WorkflowDefinition = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    { id: 'a', type: 'mystery', position: { x: 300, y: 0 }, config: {}, name: 'First' },
    { id: 'b', type: 'mystery', position: { x: 600, y: 100 }, config: {}, disabled: true },
  ],
  connections: [
    { sourceNode: 'start', sourcePort: 'output', targetNode: 'a', targetPort: 'input' },
    { sourceNode: 'a', sourcePort: 'error', targetNode: 'b', targetPort: 'input' },
  ],
};
const scene = (definition = DEFINITION, live: string[] = [], marks = EMPTY_CANVAS_BADGES) =>
  buildOverviewScene(
    definition,
    new Map(),
    buildCanvasEdges(definition, drawnIdMapper(definition)),
    marks,
    new Set(live),
  );

test('all cards and connections are drawn, with names and marks', () => {
  const issues = new Map([['b', []]]);
  const output = { status: 'completed', port: 'output' } as const;
  const results = new Map([
    ['start', { nodeId: 'start', ...output }],
    ['a', { nodeId: 'a', status: 'failed' }],
  ]) as never;
  const drawn = scene(DEFINITION, [], { ...EMPTY_CANVAS_BADGES, issues, results });
  expect(drawn?.cards.map(({ name, tone, isDisabled, hasIssues }) => [name, tone, isDisabled, hasIssues])).toEqual([
    ['start', 'done', false, false],
    ['First', 'failed', false, false],
    ['mystery', undefined, true, true],
  ]);
  expect(drawn?.lines.map(({ look }) => look)).toEqual(['carried', 'error']);
  expect(drawn?.bounds).toEqual({ x: -120, y: -120, width: 836 + 240, height: 160 + 240 });
});

test('live cards and their connections are left out', () => {
  const drawn = scene(DEFINITION, ['b']);
  expect(drawn?.cards.map(({ name }) => name)).toEqual(['start', 'First']);
  expect(drawn?.lines).toHaveLength(1);
});

test('a collapsed group and its nodes are left out', () => {
  const groups = [{ id: 'g', name: 'Both', nodeIds: ['a', 'b'], isCollapsed: true }];
  const drawn = scene({ ...DEFINITION, groups });
  expect(drawn?.cards.map(({ name }) => name)).toEqual(['start']);
  expect(drawn?.lines).toHaveLength(1);
});

test('with all cards live there is no picture', () => expect(scene(DEFINITION, ['start', 'a', 'b'])).toBeUndefined());

test('a point leads to the nearest connection within reach', () => {
  const lines = scene()?.lines ?? [];
  const [first] = DEFINITION.connections;
  const [line] = lines;
  const end = line?.curves[0]?.[3] ?? { x: 0, y: 0 };
  const start = line?.curves[0]?.[0] ?? { x: 0, y: 0 };
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  expect(connectionNearPoint(lines, { x: middle.x, y: middle.y + 9 }, 10)).toEqual(first);
  expect(connectionNearPoint(lines, { x: middle.x, y: middle.y + 11 }, 10)).toBeUndefined();
  expect(connectionNearPoint([], middle, 10)).toBeUndefined();
});
