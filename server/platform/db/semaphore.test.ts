import { expect, test } from 'vitest';
import { CallSemaphore } from './semaphore';

const deferred = () => {
  let release = () => undefined as void;
  const done = new Promise<void>((resolve) => (release = resolve));
  return { done, release };
};

test('limits concurrency and serves waiting calls in their order', async () => {
  const semaphore = new CallSemaphore(2, 10_000);
  const log: string[] = [];
  const tasks = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...deferred() }));
  const all = tasks.map(({ name, done }) =>
    semaphore.run(async () => {
      log.push(name);
      await done;
      return name;
    }),
  );
  await Promise.resolve();
  expect(log).toEqual(['a', 'b']);
  tasks[1]?.release();
  await all[1];
  await Promise.resolve();
  expect(log).toEqual(['a', 'b', 'c']);
  for (const { release } of tasks) release();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('a failed call frees its slot', async () => {
  const semaphore = new CallSemaphore(1, 10_000);
  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await semaphore.run(async () => 'yes')).toBe('yes');
});

test('a call that waits too long is refused and takes no slot', async () => {
  const semaphore = new CallSemaphore(1, 10);
  const { done, release } = deferred();
  const first = semaphore.run(() => done);
  await expect(semaphore.run(async () => undefined)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  release();
  await first;
  expect(await semaphore.run(async () => 'next')).toBe('next');
});
