import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition, WorkflowDraft } from '@/contract/workflows/workflow';
import { createDraftState, type EditorDraft } from '../draft/draft';
import { computeBodySample } from '../preview/loop-sample';
import { canvasPath, drawnIdInDraft, openLoopAlone, toggleLoopFrame, toggleSelectedLoop } from './open-loops';

const at = { x: 0, y: 0 };
const body: WorkflowDefinition = {
  nodes: [
    { id: 'begin', type: 'start', position: at, config: {} },
    { id: 'inner', type: 'repeat', position: at, config: {} },
  ],
  connections: [],
};
const definition: WorkflowDefinition = {
  nodes: [
    { id: 'orders', type: 'http_request', name: 'Orders', position: at, config: {} },
    { id: 'loop', type: 'for_each', position: at, config: { items: 'input.body', body } },
  ],
  connections: [{ sourceNode: 'orders', sourcePort: 'output', targetNode: 'loop', targetPort: 'input' }],
};
const draft = (part: Partial<EditorDraft>): EditorDraft => ({
  ...createDraftState({ name: '', definition } as unknown as WorkflowDraft),
  ...part,
});

describe('frames of loops in the editor', () => {
  it('are between the canvas and what is edited', () => {
    const inside = draft({ path: ['loop'], openLoops: ['loop'], selectedIds: ['begin'] });
    expect(canvasPath(inside)).toEqual([]);
    expect(canvasPath(inside)).toBe(canvasPath(inside));
    expect(drawnIdInDraft(inside, 'begin')).toBe('loop/begin');
    const alone = draft({ path: ['loop'] });
    expect(canvasPath(alone)).toBe(alone.path);
    expect(drawnIdInDraft(alone, 'begin')).toBe('begin');
  });

  it('select their loop when they close around the selection', () => {
    const inside = draft({ path: ['loop'], openLoops: ['loop', 'loop/inner'], selectedIds: ['begin'] });
    expect(toggleLoopFrame(inside, ['loop'])).toEqual({ openLoops: [], path: [], selectedIds: ['loop'] });
    expect(toggleLoopFrame(inside, ['loop', 'inner'])).toEqual({ openLoops: ['loop'] });
    expect(openLoopAlone(inside, ['loop'])).toMatchObject({ openLoops: ['loop/inner'], path: ['loop'] });
  });

  it('open by the keyboard with their first node, and close again', () => {
    const open = toggleSelectedLoop(draft({ selectedIds: ['loop'] }));
    expect(open).toEqual({ openLoops: ['loop'], path: ['loop'], selectedIds: ['begin'] });
    expect(toggleSelectedLoop(draft(open))).toEqual({ openLoops: [], path: [], selectedIds: ['loop'] });
    expect(toggleSelectedLoop(draft({ selectedIds: ['orders'] }))).toEqual({});
  });
});

it('a body sees the first item of its loop, and what is before the loop', async () => {
  const response = { status: 200, headers: {}, body: [{ id: 7 }, { id: 8 }] };
  const sample = await computeBodySample(
    {
      definition,
      resultsAt: () =>
        new Map([['orders', { nodeId: 'orders', status: 'completed', error: null, attempts: 1, output: response }]]),
      pinsAt: () => ({}),
      titlesAt: () => ({ orders: 'Orders' }),
    },
    ['loop'],
  );
  expect(sample).toMatchObject({
    starts: { begin: { item: { id: 7 }, index: 0 } },
    outer: { orders: response },
    outerTitles: { orders: 'Orders' },
  });
});
