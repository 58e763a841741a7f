import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Definition } from '@/contract/workflow';
import { flow } from '../testing/flow';
import { done, nodeKind } from '../nodes/node';
import { Front } from './front';
import { compile, type Kinds } from './graph';
import { plan, type Standing } from './plan';

const plain = {
  title: '',
  summary: '',
  category: 'logic',
  config: z.object({}),
  required: [],
  expressions: [],
} as const;
const rest = { outputs: ['output'], credentialTypes: [], isOutside: false, run: async () => done(null) };
const kinds: Kinds = new Map(
  [
    nodeKind({ ...plain, ...rest, type: 'start', hasInput: false, required: [], expressions: [], credentialTypes: [] }),
    nodeKind({ ...plain, ...rest, type: 'step', hasInput: true, required: [], expressions: [], credentialTypes: [] }),
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
    .map(({ roots, links, order }): Definition => {
      const all = order.map((index) => [`n${index}`, index < roots ? start : step] as const);
      const inner = links.filter(([from, , to]) => from < to && to >= roots);
      return flow(
        Object.fromEntries(all),
        inner.map(([from, port, to]) => `n${from}:${port}>n${to}`),
      );
    }),
);

/** How each of the nodes comes out. */
const anyOutcome = fc
  .array(fc.constantFrom(...PORTS, null), { minLength: 12, maxLength: 12 })
  .map((ports) => (id: string) => ports[Number(id.slice(1))] ?? null);

/** A different one of the ready nodes each time. */
const pickBy = (seed: number) => {
  let state = seed;
  return (count: number) => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % count;
  };
};

/** Runs the plan to its end: `pick` says which of the ready nodes is next, `portOf` how each one comes out. */
function play(definition: Definition, pick: (count: number) => number, portOf: (id: string) => string | null) {
  const graph = compile(definition, kinds);
  const standings = new Map<string, Standing>();
  const ran: string[] = [];
  for (;;) {
    const next = plan(graph, standings);
    if (next.isFinished) return { ran, skipped: next.skipped.map(({ id }) => id).toSorted(), graph };
    const { id } = next.ready[pick(next.ready.length)]!;
    ran.push(id);
    standings.set(id, { status: portOf(id) === null ? 'failed' : 'completed', port: portOf(id) });
  }
}

describe('plan', () => {
  it('decides every node exactly once, whatever the graph and the outcomes', () => {
    fc.assert(
      fc.property(anyDefinition, fc.nat(), anyOutcome, (definition, seed, portOf) => {
        const { ran, skipped } = play(definition, pickBy(seed), portOf);
        expect([...ran, ...skipped].toSorted()).toEqual(definition.nodes.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('comes to the same end in whatever order results arrive', () => {
    fc.assert(
      fc.property(anyDefinition, fc.nat(), anyOutcome, (definition, seed, portOf) => {
        const first = play(definition, () => 0, portOf);
        const other = play(definition, pickBy(seed), portOf);
        expect(other.ran.toSorted()).toEqual(first.ran.toSorted());
      }),
    );
  });

  it('runs a node only after everything that leads to it, and only if something was delivered', () => {
    fc.assert(
      fc.property(anyDefinition, anyOutcome, (definition, portOf) => {
        const { ran, graph } = play(definition, () => 0, portOf);
        for (const [index, id] of ran.entries()) {
          const node = graph.byId.get(id)!;
          const before = new Set(ran.slice(0, index));
          const delivered = node.incoming.filter(
            ({ source, port }) => before.has(source.id) && portOf(source.id) === port,
          );
          expect(node.isRoot || delivered.length > 0).toBe(true);
          expect(node.incoming.every(({ source }) => !ran.includes(source.id) || before.has(source.id))).toBe(true);
        }
      }),
    );
  });

  it('waits at a join for the branch that is still under way', () => {
    const graph = compile(flow({ s: start, a: step, b: step, j: step }, ['s>a', 's>b', 'a>j', 'b>j']), kinds);
    const standings = new Map<string, Standing>([
      ['s', { status: 'completed', port: 'output' }],
      ['a', { status: 'completed', port: 'output' }],
      ['b', { status: 'running', port: null }],
    ]);
    const next = plan(graph, standings);
    expect([next.ready, next.open.map(({ id }) => id), next.isFinished]).toEqual([[], ['b'], false]);
  });

  it('skips what hangs on a port that was not taken, but not the join behind it', () => {
    const definition = flow({ s: start, no: step, yes: step, j: step }, ['s:other>no', 's>yes', 'no>j', 'yes>j']);
    const { ran, skipped } = play(
      definition,
      () => 0,
      () => 'output',
    );
    expect([ran, skipped]).toEqual([['s', 'yes', 'j'], ['no']]);
  });

  it('never runs what no start leads to', () => {
    const { ran, skipped } = play(
      flow({ s: start, island: step, next: step }, ['island>next']),
      () => 0,
      () => 'output',
    );
    expect([ran, skipped]).toEqual([['s'], ['island', 'next']]);
  });

  it('reads the results of an inner run under its path', () => {
    const graph = compile(flow({ s: start, a: step }, ['s>a']), kinds);
    const standings = new Map<string, Standing>([['loop[3].s', { status: 'completed', port: 'output' }]]);
    expect(plan(graph, standings, 'loop[3].').ready.map(({ id }) => id)).toEqual(['a']);
    expect(plan(graph, standings, 'loop[4].').ready.map(({ id }) => id)).toEqual(['s']);
  });
});

describe('a front', () => {
  /** Some nodes may have been decided, or begun, before anybody looked. */
  const anyPast = fc.array(fc.constantFrom(...PORTS, null, 'running', undefined), { minLength: 12, maxLength: 12 });

  it('says what the plan says, after whatever results in whatever order', () => {
    fc.assert(
      fc.property(
        anyDefinition,
        anyPast,
        anyOutcome,
        fc.nat(),
        fc.boolean(),
        (definition, past, portOf, seed, isNew) => {
          const graph = compile(definition, kinds);
          const standings = new Map<string, Standing>();
          const settle = (id: string, port: string | null) =>
            standings.set(`loop[1].${id}`, { status: port === null ? 'failed' : 'completed', port });
          for (const [index, port] of isNew ? [] : past.entries()) {
            if (port === 'running') standings.set(`loop[1].n${index}`, { status: 'running', port: null });
            else if (port !== undefined) settle(`n${index}`, port);
          }
          const front = new Front(graph, standings, 'loop[1].');
          const pick = pickBy(seed);
          for (;;) {
            const { ready, open, isFinished } = plan(graph, standings, 'loop[1].');
            expect(front.look()).toEqual({ ready, open, isFinished });
            if (isFinished) return;
            // Several may come in between two looks; one that is ready may begin first.
            for (let count = pick(3); count >= 0; count -= 1) {
              const node = [...ready, ...open][pick(ready.length + open.length)]!;
              if (ready.includes(node) && pick(2) === 0) {
                if (!standings.has(`loop[1].${node.id}`))
                  standings.set(`loop[1].${node.id}`, { status: 'running', port: null });
              } else settle(node.id, portOf(node.id));
            }
          }
        },
      ),
    );
  });

  it('looks again at no more than what is reached', () => {
    const size = 200;
    const ids = Array.from({ length: size }, (_, index) => `n${index}`);
    const definition = flow(
      Object.fromEntries(ids.map((id, index) => [id, index === 0 ? start : step])),
      ids.slice(1).map((id, index) => `${ids[index]}>${id}`),
    );
    let lookups = 0;
    const standings = new (class extends Map<string, Standing> {
      override get(id: string) {
        lookups += 1;
        return super.get(id);
      }
    })();
    const front = new Front(compile(definition, kinds), standings);
    for (const id of ids) {
      expect(front.look().ready.map((node) => node.id)).toEqual([id]);
      standings.set(id, { status: 'completed', port: 'output' });
    }
    expect(front.look().isFinished).toBe(true);
    expect(lookups).toBeLessThan(3 * size);
  });
});
