import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { flow } from '@/server/testing/flow';
import { completeNode, defineNodeType } from '@/server/workflow/nodes/node-type';
import { IncrementalPlan } from './incremental-plan';
import { compileGraph, type NodeTypeRegistry } from '@/server/workflow/definition/graph';
import type { NodeRouteState } from '../store/state';
import { planNextNodes } from '../store/plan';

const plain = {
  title: '',
  summary: '',
  category: 'logic',
  config: z.object({}),
} as const;
const rest = { outputs: ['output'], credentialTypes: [], isOutside: false, run: async () => completeNode(null) };
const kinds: NodeTypeRegistry = new Map(
  [
    defineNodeType({
      ...plain,
      ...rest,
      type: 'start',
      hasInput: false,
      credentialTypes: [],
    }),
    defineNodeType({
      ...plain,
      ...rest,
      type: 'step',
      hasInput: true,
      credentialTypes: [],
    }),
  ].map((kind) => [kind.type, kind]),
);

const PORTS = ['output', 'other', 'error'];
const start = { type: 'start' };
const step = { type: 'step' };

/** Any acyclic graph: connections lead from earlier nodes to later ones, in shuffled order. */
const anyDefinition = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc
    .record({
      roots: fc.integer({ min: 1, max: size }),
      links: fc.uniqueArray(fc.tuple(fc.nat(size - 1), fc.constantFrom(...PORTS), fc.nat(size - 1)), {
        selector: (link) => link.join(),
      }),
      order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
    })
    .map(({ roots, links, order }): WorkflowDefinition => {
      const all = order.map((index) => [`n${index}`, index < roots ? start : step] as const);
      const inner = links.filter(([from, , to]) => from < to && to >= roots);
      return flow(
        Object.fromEntries(all),
        inner.map(([from, port, to]) => `n${from}:${port}>n${to}`),
      );
    }),
);

/** The output port of each node; null: it fails. */
const anyOutcome = fc
  .array(fc.constantFrom(...PORTS, null), { minLength: 12, maxLength: 12 })
  .map((ports) => (id: string) => ports[Number(id.slice(1))] ?? null);

/** Picks pseudo-random ready nodes. */
const pickBy = (seed: number) => {
  let state = seed;
  return (count: number) => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % count;
  };
};

/** Executes the plan to its end: `pick` selects the next ready node, `portOf` its output port. */
function runToEnd(
  definition: WorkflowDefinition,
  pick: (count: number) => number,
  portOf: (id: string) => string | null,
) {
  const graph = compileGraph(definition, kinds);
  const standings = new Map<string, NodeRouteState>();
  const executed: string[] = [];
  for (;;) {
    const next = planNextNodes(graph, standings);
    if (next.isFinished) return { executed, skipped: next.skipped.map(({ id }) => id).toSorted(), graph };
    const { id } = next.ready[pick(next.ready.length)]!;
    executed.push(id);
    standings.set(id, { status: portOf(id) === null ? 'failed' : 'completed', port: portOf(id) });
  }
}

describe('plan', () => {
  it('decides every node exactly once for any graph and outcomes', () => {
    fc.assert(
      fc.property(anyDefinition, fc.nat(), anyOutcome, (definition, seed, portOf) => {
        const { executed, skipped } = runToEnd(definition, pickBy(seed), portOf);
        expect([...executed, ...skipped].toSorted()).toEqual(definition.nodes.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('executes the same nodes for any order of results', () => {
    fc.assert(
      fc.property(anyDefinition, fc.nat(), anyOutcome, (definition, seed, portOf) => {
        const first = runToEnd(definition, () => 0, portOf);
        const other = runToEnd(definition, pickBy(seed), portOf);
        expect(other.executed.toSorted()).toEqual(first.executed.toSorted());
      }),
    );
  });

  it('runs a node only after all its predecessors, and only if an input was delivered', () => {
    fc.assert(
      fc.property(anyDefinition, anyOutcome, (definition, portOf) => {
        const { executed, graph } = runToEnd(definition, () => 0, portOf);
        for (const [index, id] of executed.entries()) {
          const node = graph.byId.get(id)!;
          const before = new Set(executed.slice(0, index));
          const delivered = node.incoming.filter(
            ({ source, port }) => before.has(source.id) && portOf(source.id) === port,
          );
          expect(node.isRoot || delivered.length > 0).toBe(true);
          expect(node.incoming.every(({ source }) => !executed.includes(source.id) || before.has(source.id))).toBe(
            true,
          );
        }
      }),
    );
  });

  it('waits at a join for a branch that is still running', () => {
    const graph = compileGraph(flow({ s: start, a: step, b: step, j: step }, ['s>a', 's>b', 'a>j', 'b>j']), kinds);
    const standings = new Map<string, NodeRouteState>([
      ['s', { status: 'completed', port: 'output' }],
      ['a', { status: 'completed', port: 'output' }],
      ['b', { status: 'running' }],
    ]);
    const next = planNextNodes(graph, standings);
    expect([next.ready, next.open.map(({ id }) => id), next.isFinished]).toEqual([[], ['b'], false]);
  });

  it('skips nodes on a port that was not taken, but not the join behind them', () => {
    const definition = flow({ s: start, no: step, yes: step, j: step }, ['s:other>no', 's>yes', 'no>j', 'yes>j']);
    const { executed, skipped } = runToEnd(
      definition,
      () => 0,
      () => 'output',
    );
    expect([executed, skipped]).toEqual([['s', 'yes', 'j'], ['no']]);
  });

  it('never runs nodes that no start node reaches', () => {
    const { executed, skipped } = runToEnd(
      flow({ s: start, island: step, next: step }, ['island>next']),
      () => 0,
      () => 'output',
    );
    expect([executed, skipped]).toEqual([['s'], ['island', 'next']]);
  });

  it('reads the states of a round under its path', () => {
    const graph = compileGraph(flow({ s: start, a: step }, ['s>a']), kinds);
    const standings = new Map<string, NodeRouteState>([['loop[3].s', { status: 'completed', port: 'output' }]]);
    expect(planNextNodes(graph, standings, 'loop[3].').ready.map(({ id }) => id)).toEqual(['a']);
    expect(planNextNodes(graph, standings, 'loop[4].').ready.map(({ id }) => id)).toEqual(['s']);
  });
});

describe('an incremental plan', () => {
  /** Nodes that were decided or started before the first refresh. */
  const anyInitialStates = fc.array(fc.constantFrom(...PORTS, null, 'running', undefined), {
    minLength: 12,
    maxLength: 12,
  });

  it('equals the plan after any results in any order', () => {
    fc.assert(
      fc.property(
        anyDefinition,
        anyInitialStates,
        anyOutcome,
        fc.nat(),
        fc.boolean(),
        (definition, initial, portOf, seed, isNew) => {
          const graph = compileGraph(definition, kinds);
          const standings = new Map<string, NodeRouteState>();
          const settle = (id: string, port: string | null) =>
            standings.set(`loop[1].${id}`, { status: port === null ? 'failed' : 'completed', port });
          for (const [index, port] of isNew ? [] : initial.entries()) {
            if (port === 'running') standings.set(`loop[1].n${index}`, { status: 'running' });
            else if (port !== undefined) settle(`n${index}`, port);
          }
          const incremental = new IncrementalPlan(graph, standings, 'loop[1].');
          const pick = pickBy(seed);
          for (;;) {
            const { ready, open, isFinished } = planNextNodes(graph, standings, 'loop[1].');
            expect(incremental.refresh()).toEqual({ ready, open, isFinished });
            if (isFinished) return;
            // Several results may arrive between two refreshes; a ready node may start before it settles.
            for (let count = pick(3); count >= 0; count -= 1) {
              const node = [...ready, ...open][pick(ready.length + open.length)]!;
              if (ready.includes(node) && pick(2) === 0) {
                if (!standings.has(`loop[1].${node.id}`)) standings.set(`loop[1].${node.id}`, { status: 'running' });
              } else settle(node.id, portOf(node.id));
            }
          }
        },
      ),
    );
  });

  it('reads only the states of reached nodes', () => {
    const size = 200;
    const ids = Array.from({ length: size }, (_, index) => `n${index}`);
    const definition = flow(
      Object.fromEntries(ids.map((id, index) => [id, index === 0 ? start : step])),
      ids.slice(1).map((id, index) => `${ids[index]}>${id}`),
    );
    let lookups = 0;
    const standings = new (class extends Map<string, NodeRouteState> {
      override get(id: string) {
        lookups += 1;
        return super.get(id);
      }
    })();
    const incremental = new IncrementalPlan(compileGraph(definition, kinds), standings);
    for (const id of ids) {
      expect(incremental.refresh().ready.map((node) => node.id)).toEqual([id]);
      standings.set(id, { status: 'completed', port: 'output' });
    }
    expect(incremental.refresh().isFinished).toBe(true);
    expect(lookups).toBeLessThan(3 * size);
  });
});
