import { expect, it } from 'vitest';
import { nodeTypeDefinitions } from '@/server/workflow/nodes';
import { flow } from '@/server/testing/flow';
import { compileGraph } from '@/server/workflow/definition/graph';
import type { LoopResumeData, NodeState } from '../store/state';
import { toStartedState, toWaitingState } from '../store/transitions';
import { RunCursor } from './cursor';

const start = { type: 'start' };
const shape = { type: 'transform', config: { expression: '1' } };

it('keeps the states of two finished rounds of a loop that decides after each round', () => {
  const each = { type: 'for_each', config: { items: '[1, 2]', body: flow({ i: start, a: shape }, ['i>a']) } };
  const body = flow({ in: start, each, out: shape }, ['in>each', 'each>out']);
  const definition = flow({ s: start, r: { type: 'repeat', config: { body } } }, ['s>r']);
  const graph = compileGraph(definition, new Map(nodeTypeDefinitions.map((kind) => [kind.type, kind])));
  const states = new Map<string, NodeState>();
  const started = (path: string) => toStartedState(path, states.get(path));
  const loop = (path: string, data: LoopResumeData) => states.set(path, toWaitingState(started(path), data, null));
  const complete = (path: string) =>
    states.set(path, {
      ...started(path),
      status: 'completed',
      port: 'output',
      output: null,
      largeBytes: null,
      isOffloaded: false,
      completedAt: new Date(),
    });
  const cursor = new RunCursor(graph, {}, states);
  complete('s');
  loop('r', { kind: 'progress', progress: { round: 0 } });

  let most = 0;
  let round = 0;
  while (round < 500) {
    const { ready, finishedLoops } = cursor.findNextSteps();
    for (const { path, graphNode: node } of ready) {
      if (path === 'r') loop('r', { kind: 'progress', progress: { round: (round += 1) } });
      else if (node.body) loop(path, { kind: 'items', items: [1, 2], concurrency: 1 });
      else complete(path);
    }
    for (const { instance } of finishedLoops) {
      complete(instance.path);
      cursor.dropLoop(instance.path);
    }
    most = Math.max(most, states.size);
  }
  // Two nodes of the run, and seven in each round.
  expect(most).toBe(2 + 2 * 7);
  expect(states.has('r[499].out')).toBe(true);
  expect([...states.keys()].filter((path) => path.startsWith('r[497].'))).toEqual([]);
});
