import { describe, expect, it } from 'vitest';
import { chainValue, chainAllValues } from './maybe-promise';

describe('chain', () => {
  it('calls at once with an available value', () => {
    expect(chainValue(1, (value) => value + 1)).toBe(2);
  });
  it('waits for a promise', async () => {
    const result = chainValue(Promise.resolve(1), (value) => value + 1);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(2);
  });
  it('passes rejections and errors through', async () => {
    const fail = () => {
      throw new Error('no');
    };
    expect(() => chainValue(1, fail)).toThrow('no');
    await expect(chainValue(Promise.resolve(1), fail)).rejects.toThrow('no');
    await expect(chainValue(Promise.reject<number>(new Error('first')), fail)).rejects.toThrow('first');
  });
});

describe('chainAll', () => {
  it('calls at once when all values are available', () => {
    expect(chainAllValues([1, 2], (values) => values.length)).toBe(2);
    expect(chainAllValues([], (values) => values.length)).toBe(0);
  });
  it('waits for all promises and keeps the order', async () => {
    expect(await chainAllValues([1, Promise.resolve(2), 3], (values) => values)).toEqual([1, 2, 3]);
  });
});
