import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LeaseClock, currentClockMoment } from './lease-clock';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterEach(() => vi.useRealTimers());

const isCertain = (lease: LeaseClock) => lease.confirm() === undefined;

describe('a lease', () => {
  it('is certain for two thirds of its length after it was asked for', () => {
    const lease = new LeaseClock(3000);
    vi.advanceTimersByTime(2000);
    expect(isCertain(lease)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isCertain(lease)).toBe(false);
  });

  it('counts from the request of its renewal, not from the answer', async () => {
    const lease = new LeaseClock(3000);
    const askedAt = currentClockMoment();
    vi.advanceTimersByTime(2500);
    const waiting = lease.confirm();
    let isOver = false;
    void waiting?.then(() => (isOver = true));
    // The answer was read late: in between the process stood still.
    lease.renewed(askedAt);
    await Promise.resolve();
    expect([isOver, isCertain(lease)]).toEqual([false, false]);
    lease.renewed(currentClockMoment());
    await waiting;
    expect(isCertain(lease)).toBe(true);
  });

  it.each(['performance', 'Date'] as const)('ages although %s stands still', (frozen) => {
    vi.useFakeTimers({ toFake: frozen === 'Date' ? ['performance'] : ['Date'] });
    vi.spyOn(frozen === 'Date' ? Date : performance, 'now').mockReturnValue(1000);
    const lease = new LeaseClock(3000);
    vi.advanceTimersByTime(2001);
    expect(isCertain(lease)).toBe(false);
  });

  it('that is lost is never certain again', async () => {
    const lease = new LeaseClock(3000);
    vi.advanceTimersByTime(2500);
    const waiting = lease.confirm();
    lease.lose(new Error('lost'));
    await expect(waiting).rejects.toThrow('lost');
    await expect(lease.confirm()).rejects.toThrow('lost');
  });

  it('tells for how long it was not certain', () => {
    const lease = new LeaseClock(3000);
    vi.advanceTimersByTime(5000);
    expect(lease.uncertainMs()).toBe(3000);
    lease.renewed(currentClockMoment());
    vi.advanceTimersByTime(1000);
    expect(lease.uncertainMs()).toBe(3000);
    vi.advanceTimersByTime(1500);
    expect(lease.uncertainMs()).toBe(3500);
  });
});
