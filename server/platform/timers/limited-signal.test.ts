import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createLimitedSignal } from './limited-signal';

test('a signal aborts after its time, whatever is collected as garbage meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { signal, release } = createLimitedSignal(new AbortController().signal, 50);
  // What a caller holds no longer goes in a later turn.
  await new Promise(setImmediate);
  collectGarbage();
  await once(signal, 'abort');
  release();
  expect(signal.aborted).toBe(true);
});

test('a signal aborts with the one outside, for its reason, until it is released', () => {
  const outer = new AbortController();
  const limited = createLimitedSignal(outer.signal, 60_000);
  const released = createLimitedSignal(outer.signal, 60_000);
  released.release();
  const reason = new Error('gone');
  outer.abort(reason);
  expect([limited.signal.aborted, limited.signal.reason]).toEqual([true, reason]);
  expect(released.signal.aborted).toBe(false);
  limited.release();
  const late = createLimitedSignal(outer.signal, 60_000);
  expect(late.signal.aborted).toBe(true);
  late.release();
});
