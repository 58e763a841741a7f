import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RefusalDelay } from './refusal-delay';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('delays refusals, but only a limited number at a time', async () => {
  const holdBack = new RefusalDelay(100, 2);
  const answered: string[] = [];
  const refuse = (name: string) => holdBack.wait().then(() => answered.push(name));
  void refuse('first');
  void refuse('second');
  void refuse('one too many');
  await vi.advanceTimersByTimeAsync(99);
  expect(answered).toEqual(['one too many']);
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toEqual(['one too many', 'first', 'second']);
  void refuse('later');
  await vi.advanceTimersByTimeAsync(99);
  expect(answered).not.toContain('later');
  await vi.advanceTimersByTimeAsync(1);
  expect(answered).toContain('later');
});
