import { describe, expect, it } from 'vitest';
import { chain, chainAll } from './maybe-promise';

describe('chain', () => {
  it('calls at once with an available value', () => {
    expect(chain(1, (value) => value + 1)).toBe(2);
  });
  it('waits for a promise', async () => {
    const result = chain(Promise.resolve(1), (value) => value + 1);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(2);
  });
  it('passes rejections and errors through', async () => {
    const fail = () => {
      throw new Error('no');
    };
    expect(() => chain(1, fail)).toThrow('no');
    await expect(chain(Promise.resolve(1), fail)).rejects.toThrow('no');
    await expect(chain(Promise.reject<number>(new Error('first')), fail)).rejects.toThrow('first');
  });
});

describe('chainAll', () => {
  it('calls at once when all values are available', () => {
    expect(chainAll([1, 2], (values) => values.length)).toBe(2);
    expect(chainAll([], (values) => values.length)).toBe(0);
  });
  it('waits for all promises and keeps the order', async () => {
    expect(await chainAll([1, Promise.resolve(2), 3], (values) => values)).toEqual([1, 2, 3]);
  });
});
