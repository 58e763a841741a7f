import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { groupCommit } from './group-commit';

const badRow = () => Object.assign(new pg.DatabaseError('bad row', 0, 'error'), { code: '22P05' });

describe('group commit', () => {
  it('writes items that arrive during a flush with the next one', async () => {
    const flushes: number[][] = [];
    let release = () => {};
    const first = new Promise<void>((resolve) => (release = resolve));
    const write = groupCommit<number, number>(async (items) => {
      flushes.push(items);
      if (flushes.length === 1) await first;
      return items.map((item) => item * 10);
    });
    const answers = [write(1)];
    while (flushes.length === 0) await pause(1);
    answers.push(write(2), write(3));
    release();
    expect(await Promise.all(answers)).toEqual([10, 20, 30]);
    expect(flushes).toEqual([[1], [2, 3]]);
  });

  it('answers one flush before the next begins, which includes follow-up items', async () => {
    const flushes: number[][] = [];
    const write = groupCommit<number, void>(async (items) => {
      flushes.push(items);
      await pause(1);
      return items.map(() => undefined);
    });
    const asker = async (first: number) => {
      for (let item = first; item < 30; item += 10) await write(item);
    };
    const early = [asker(1), asker(2)];
    await nextTurn();
    await Promise.all([...early, asker(3)]);
    expect(flushes).toEqual([[1, 2], [3, 11, 12], [13, 21, 22], [23]]);
  });

  it('fails only the bad item', async () => {
    const write = groupCommit<number, number>(async (items) => {
      if (items.includes(5)) throw badRow();
      return items;
    });
    const settled = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(write));
    expect(settled.map((one) => one.status === 'fulfilled')).toEqual([true, true, true, true, false, true, true]);
  });

  it('fails all items once if the database is unavailable, and works again afterwards', async () => {
    let calls = 0;
    const write = groupCommit<number, number>(async (items) => {
      calls += 1;
      if (calls === 1) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      return items;
    });
    const settled = await Promise.allSettled([write(1), write(2), write(3)]);
    expect(settled.every((one) => one.status === 'rejected')).toBe(true);
    expect(calls).toBe(1);
    expect(await write(4)).toBe(4);
  });

  it('limits flushes in items and bytes', async () => {
    const sizes: number[] = [];
    const write = groupCommit<number, number>(
      async (items) => {
        sizes.push(items.length);
        return items;
      },
      { maxItems: 3, maxBytes: 100, sizeOf: (item) => item },
    );
    await Promise.all([1, 1, 1, 1, 99, 500, 1].map(write));
    expect(sizes).toEqual([3, 2, 1, 1]);
  });
});
