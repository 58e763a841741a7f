import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KNOWN_ABILITIES, requiredAbilities } from '@/server/workflow/definition/abilities';
import { compileGraph, possibleLeaves } from '@/server/workflow/definition/graph';
import { definitionsByNodeType } from '@/server/workflow/nodes';
import { flow } from '@/server/testing/flow';
import { planNextNodes } from '../store/plan';
import type { NodeRouteState } from '../store/state';
import { IncrementalPlan } from './incremental-plan';

const start = { type: 'start' };
const step = { type: 'transform', config: { expression: 'input' } };

/** Two starts with a branch each, which meet at `join`. */
const MEETING = flow({ one: start, two: start, a: step, b: step, join: step }, ['one>a', 'two>b', 'a>join', 'b>join']);

/** Executes a graph to its end with both plans, which must agree. */
function runToEnd(definition: typeof MEETING, startNodeId: string | null) {
  const graph = compileGraph(definition, definitionsByNodeType, { startNodeId: startNodeId });
  const standings = new Map<string, NodeRouteState>();
  const incremental = new IncrementalPlan(graph, standings);
  for (;;) {
    const next = planNextNodes(graph, standings);
    expect(incremental.refresh().ready).toEqual(next.ready);
    const [node] = next.ready;
    if (!node) return { graph, ran: [...standings.keys()], skipped: next.skipped.map(({ id }) => id).toSorted() };
    standings.set(node.id, { status: 'completed', port: 'output' });
  }
}

describe('a run of a definition with two starts', () => {
  test('begins at both without a chosen start', () => {
    expect(runToEnd(MEETING, null)).toMatchObject({ ran: ['one', 'two', 'a', 'b', 'join'], skipped: [] });
  });

  test('consists of the chosen start and what it reaches; a join waits for nothing else', () => {
    expect(runToEnd(MEETING, 'one')).toMatchObject({ ran: ['one', 'a', 'join'], skipped: ['b', 'two'] });
    expect(runToEnd(MEETING, 'two')).toMatchObject({ ran: ['two', 'b', 'join'], skipped: ['a', 'one'] });
  });

  test('takes the leaves of the chosen start alone for its output', () => {
    const apart = flow({ one: start, two: start, a: step, b: step }, ['one>a', 'two>b']);
    const leavesOf = (startNodeId: string | null) => {
      const graph = compileGraph(apart, definitionsByNodeType, { startNodeId: startNodeId });
      return [possibleLeaves(graph).map(({ id }) => id), graph.output.kind === 'leaves' && graph.output.isSingle];
    };
    expect(leavesOf(null)).toEqual([['a', 'b'], false]);
    expect(leavesOf('one')).toEqual([['a'], true]);
    expect(leavesOf('two')).toEqual([['b'], true]);
  });

  test('runs exactly what its start reaches, in any graph', () => {
    const size = 10;
    const anyLinks = fc.uniqueArray(fc.tuple(fc.nat(size - 2), fc.integer({ min: 2, max: size - 1 })), {
      selector: ([from, to]) => `${from}>${to}`,
      maxLength: 25,
    });
    fc.assert(
      fc.property(anyLinks, fc.constantFrom(0, 1), (links, chosen) => {
        const forward = links.filter(([from, to]) => from < to);
        const nodes = Object.fromEntries(Array.from({ length: size }, (_, n) => [`n${n}`, n < 2 ? start : step]));
        const definition = flow(
          nodes,
          forward.map(([from, to]) => `n${from}>n${to}`),
        );
        const reached = new Set<number>([chosen]);
        for (const at of reached) for (const [from, to] of forward) if (from === at) reached.add(to);
        const { ran } = runToEnd(definition, `n${chosen}`);
        expect(ran.toSorted()).toEqual([...reached].map((n) => `n${n}`).toSorted());
      }),
    );
  });
});

describe('abilities', () => {
  const loop = (inner: object) => ({
    type: 'for_each',
    config: { items: 'input', body: flow({ start, inner } as never) },
  });
  test.each([
    ['each', { ...flow({ start, work: { ...step, each: {} } as never }, ['start>work']) }, 2],
    ['each inside of a loop', flow({ start, l: loop({ ...step, each: {} }) }, ['start>l']), 2],
    ['expressions in JavaScript', { ...flow({ start }), language: 'javascript' as const }, 4],
    ['expressions in JSONata', { ...flow({ start }), language: 'jsonata' as const }, 0],
    [
      'a sub-workflow with a start',
      flow({ start, sub: { type: 'sub_workflow', config: { workflowId: 'wf', startNodeId: 's' } } }, ['start>sub']),
      16,
    ],
    ['two starts', MEETING, 0],
  ])('%s', (_, definition, required) => {
    expect(requiredAbilities(definition)).toBe(required);
    expect(KNOWN_ABILITIES & required).toBe(required);
  });
});
