import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReplyTextPiece } from '@/server/platform/dispatch/events';
import { createRedactor } from '@/server/evaluation/redaction/redactor';
import { createReplyWriter } from './answer-writer';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function writer(...secrets: string[]) {
  const pieces: ReplyTextPiece[] = [];
  const { text } = createRedactor(secrets);
  const write = createReplyWriter('exec_1', { text, all: secrets }, (piece) => pieces.push(piece));
  /** What a reader that has seen all pieces sees. */
  const seen = () => pieces.reduce((draft, { at, text: more }) => draft.slice(0, at) + more, '');
  const later = (text: string, ms = 200) => {
    vi.advanceTimersByTime(ms);
    write(text);
  };
  return { write, later, seen, pieces };
}

it('sends what is new, at a pace', () => {
  const { write, later, seen, pieces } = writer();
  write('Hel');
  write('Hello');
  expect(seen()).toBe('Hel');
  later('Hello, wor');
  later('Hello, wor');
  later('Hello, world');
  expect(pieces.map(({ at, text }) => [at, text])).toEqual([
    [0, 'Hel'],
    [3, 'lo, wor'],
    [10, 'ld'],
  ]);
});

it('sends all again from time to time, for readers that missed a piece', () => {
  const { write, later, pieces } = writer();
  write('One');
  later('One two', 2500);
  expect(pieces.at(-1)).toEqual({ executionId: 'exec_1', at: 0, text: 'One two' });
});

it('never shows a part of a secret', () => {
  const secret = 'sk-test-1234567890';
  const { later, seen, pieces } = writer(secret);
  const answer = `The key is ${secret}, keep it.\n`;
  for (let length = 1; length <= answer.length; length += 1) later(answer.slice(0, length));
  expect(seen()).toBe('The key is ••••••, keep it.\n');
  for (const { text } of pieces) expect(text).not.toContain('sk-');
});

it('never shows a part of a secret of several words', () => {
  const secret = 'correct horse battery';
  const { later, seen, pieces } = writer(secret);
  const answer = `It is ${secret} and not correct at all `;
  for (let length = 1; length <= answer.length; length += 1) later(answer.slice(0, length));
  expect(seen()).toBe('It is •••••• and not correct at all ');
  for (const { text } of pieces) expect(text).not.toContain('horse');
});

it('stays fast for a long text without spaces, and stops for one that is too long', () => {
  const { later, pieces } = writer('some-secret');
  for (let length = 10_000; length <= 120_000; length += 10_000) later('x'.repeat(length));
  later(`${'x'.repeat(120_000)} `);
  expect(pieces).toEqual([]);
});

it('finds the longest beginning of a secret at the end of a text, in linear time', () => {
  const secret = `${'a '.repeat(100_000)}b`;
  const { later, seen } = writer(secret, 'x y x y z');
  later(`So: ${'a '.repeat(40_000)}`);
  expect(seen()).toBe('So: ');
  later('So: x y x y x y ');
  expect(seen()).toBe('So: x y ');
  later('So: a a a c ');
  expect(seen()).toBe('So: a a a c ');
});

it('looks for secrets at a pace, also while there is nothing to show', () => {
  const { text } = createRedactor(['canary-secret']);
  const find = vi.fn<typeof text>(text);
  const write = createReplyWriter('exec_1', { text: find, all: ['canary-secret'] }, () => {});
  for (let length = 1; length <= 1000; length += 1) write(`One word ${'x'.repeat(length)}`);
  expect(find).toHaveBeenCalledTimes(1);
});
