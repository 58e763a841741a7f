import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listValueChanges, type ValueChange } from './value-changes';

const said = (before: unknown, after: unknown) =>
  listValueChanges(before, after).changes.map((change) => {
    const path = change.path.join('.');
    switch (change.kind) {
      case 'added':
        return `+${path} ${JSON.stringify(change.after)}`;
      case 'removed':
        return `-${path} ${JSON.stringify(change.before)}`;
      case 'changed':
        return `~${path} ${JSON.stringify(change.before)} → ${JSON.stringify(change.after)}`;
      case 'moved':
        return `↕${path} from ${change.from}`;
    }
  });

describe('differences of values', () => {
  it('are those of their fields', () => {
    const before = { status: 200, body: { total: 5, tags: ['a'], gone: null }, same: { deep: [1] } };
    const after = { status: 404, body: { total: '5', tags: ['a'], fresh: true }, same: { deep: [1] } };
    expect(said(before, after)).toEqual([
      '~status 200 → 404',
      '~body.total 5 → "5"',
      '-body.gone null',
      '+body.fresh true',
    ]);
    expect(said({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
    expect(said([1], { 0: 1 })).toEqual(['~ [1] → {"0":1}']);
    expect(said(undefined, { a: 1 })).toEqual(['~ undefined → {"a":1}']);
  });

  it('find items of lists by their key', () => {
    const before = [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
      { id: 3, n: 3 },
    ];
    const after = [
      { id: 3, n: 3 },
      { id: 1, n: 9 },
      { id: 4, n: 4 },
    ];
    expect(said(before, after)).toEqual(['↕0 from 2', '~1.n 1 → 9', '+2 {"id":4,"n":4}', '-1 {"id":2,"n":2}']);
  });

  it('find equal items without a key, and pair changed ones between them', () => {
    expect(said(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual(['+1 "x"']);
    expect(said(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual(['~1 "b" → "x"']);
    expect(said(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'a'])).toEqual(['↕3 from 0']);
    expect(said(['a', 'b'], ['a'])).toEqual(['-1 "b"']);
    expect(said([[1], [2]], [[1], [3]])).toEqual(['~1.0 2 → 3']);
    expect(said(['a', 'a'], ['a', 'a', 'a'])).toEqual(['+2 "a"']);
  });

  it('are limited, and found soon in long lists', () => {
    const list = (first: number) => Array.from({ length: 50_000 }, (_, at) => ({ at: at + first, n: at }));
    const { changes, isCut } = listValueChanges(list(0), list(1));
    expect(changes).toHaveLength(500);
    expect(isCut).toBe(true);
  });

  it('of a value with itself are none, and those of two values make one into the other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        expect(listValueChanges(one, structuredClone(one)).changes).toEqual([]);
        const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(listValueChanges(one, other).changes.length === 0).toBe(isEqual);
      }),
    );
  });

  it('keep every item of a list', () => {
    const anyItem = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.record({ id: fc.integer({ min: 0, max: 5 }) }));
    fc.assert(
      fc.property(fc.array(anyItem), fc.array(anyItem), (before, after) => {
        const of = (kind: ValueChange['kind']) =>
          listValueChanges(before, after).changes.filter((change) => change.kind === kind && change.path.length === 1)
            .length;
        expect(after.length - of('added')).toBe(before.length - of('removed'));
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
