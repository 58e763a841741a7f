import { expect, test } from 'vitest';
import {
  toDecisionPrompt,
  readNodeState,
  toStoredStatus,
  UnreadableStateError,
  type StoredStateRow,
} from './state-row';
import { readLoopRounds, currentNodeError, takenOutputPort } from './state';
import { nextAttemptNumber } from './transitions';

const NOW = '2026-01-02T03:04:05.000Z';
const LATER = '2026-01-02T04:00:00.000Z';
const ERROR = { code: 'BUSY', message: 'Not yet.', nodeId: 'n' };

const row = (more: Partial<StoredStateRow>): StoredStateRow => ({
  node_id: 'n',
  status: 'running',
  port: null,
  attempts: 2,
  tries: null,
  output: null,
  error: null,
  started_at: NOW,
  completed_at: null,
  wake_at: null,
  held: null,
  round: null,
  child_id: null,
  ...more,
});

test.each<[string, Partial<StoredStateRow>, object]>([
  ['an attempt in flight', {}, { status: 'running' }],
  ['a delay', { wake_at: LATER }, { status: 'waiting', reason: 'time', wakeAt: new Date(LATER) }],
  ['a retry', { wake_at: LATER, error: ERROR }, { status: 'waiting', reason: 'retry', error: ERROR }],
  ['a child', { held: { childId: 'exec_1' }, child_id: 'exec_1' }, { status: 'waiting', reason: 'child' }],
  ['a call', { held: { awaitsCall: true }, wake_at: LATER }, { status: 'waiting', reason: 'call' }],
  [
    'a decision',
    { status: 'paused', held: { message: 'Ok?', assignees: [] } },
    { status: 'waiting', reason: 'decision' },
  ],
  ['a decision whose question is not loaded', { status: 'paused' }, { status: 'waiting', reason: 'decision' }],
  ['items', { held: { items: [1], concurrency: 3 } }, { status: 'looping', resumeData: { kind: 'items' } }],
  ['large items', { held: { count: 9, concurrency: 1, bytes: 10 } }, { resumeData: { kind: 'offloaded_items' } }],
  ['rounds', { held: { round: 4 }, round: 4 }, { status: 'looping', resumeData: { kind: 'progress' } }],
  [
    'an output',
    { status: 'completed', port: 'output', output: 1, completed_at: LATER },
    { status: 'completed', output: 1 },
  ],
  [
    'a failure',
    { status: 'failed', error: ERROR, completed_at: LATER },
    { status: 'failed', error: ERROR, port: null },
  ],
])('reads the row of a node with %s, and stores the same status', (_, more, expected) => {
  const state = readNodeState(row(more));
  expect(state).toMatchObject(expected);
  expect([toStoredStatus(state), currentNodeError(state), takenOutputPort(state)]).toEqual([
    more.status ?? 'running',
    more.error ?? null,
    more.port ?? null,
  ]);
});

test('reads what an earlier release has stored without the columns of its kind', () => {
  expect(readNodeState(row({ held: { childId: 'exec_1' } }))).toMatchObject({ reason: 'child' });
  expect(readLoopRounds(readNodeState(row({ held: { round: 4 } })))).toMatchObject({
    count: 5,
    repetition: { round: 4 },
  });
});

test('a loop keeps its rounds between two attempts, and other nodes begin anew', () => {
  const retried = { wake_at: LATER, error: ERROR };
  const loop = readNodeState(row({ ...retried, held: { items: [1, 2], concurrency: 1 } }));
  expect([loop.status, readLoopRounds(loop)?.count, nextAttemptNumber(loop)]).toEqual(['waiting', 2, 3]);
  expect(readNodeState(row({ ...retried, held: { childId: 'exec_1' } })).resumeData).toBeNull();
});

test('an approval expires only while it is open', () => {
  const held = { message: 'Ok?', assignees: ['a@b.c'] };
  expect(toDecisionPrompt(readNodeState(row({ status: 'paused', held, wake_at: LATER })))).toEqual({
    ...held,
    expiresAt: LATER,
  });
  const decided = row({ status: 'completed', port: 'approved', held, completed_at: LATER });
  expect(toDecisionPrompt(readNodeState(decided))).toEqual({ ...held, expiresAt: undefined });
});

test.each([[[]], ['text'], [{}], [{ items: 1 }], [{ round: 'one' }], [{ message: 1 }], [{ count: 1.5 }]])(
  'refuses %j as what a node continues from',
  (held) => expect(() => readNodeState(row({ held }))).toThrow(UnreadableStateError),
);
