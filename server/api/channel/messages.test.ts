import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SocketServerMessage } from '@/contract/channel';
import type { ExecutionStatus, NodeStatus } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { updateMessages, INITIAL_PROGRESS, type NodeResultRow, type RunChanges } from './messages';

const at = (revision: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, revision));

/** The content of the database after a checkpoint. */
interface Moment {
  status: ExecutionStatus;
  revision: number;
  rows: ReadonlyMap<string, NodeResultRow>;
}

const row = (nodeId: string, status: NodeStatus, revision: number): NodeResultRow => ({
  nodeId,
  status,
  output: status === 'completed' ? { from: nodeId } : null,
  startedAt: at(revision),
  completedAt: status === 'completed' || status === 'failed' ? at(revision) : null,
  revision,
});

/** The possible next statuses of a node, by its current status. */
const NEXT: Record<string, NodeStatus[]> = {
  nothing: ['running', 'completed', 'failed', 'paused'],
  running: ['running', 'completed', 'failed'],
  paused: ['completed', 'failed'],
};
const NODES = ['a', 'b', 'c', 'd'];

/** Simulates a worker: each checkpoint changes some nodes; the run ends when all are settled, or by a cancellation. */
function historyOf(choices: readonly number[], isCancelled: boolean): Moment[] {
  let moment: Moment = { status: 'pending', revision: 0, rows: new Map() };
  const history = [moment];
  const queue = [...choices];
  const isOpen = (nodeId: string) =>
    ['nothing', 'running', 'paused'].includes(moment.rows.get(nodeId)?.status ?? 'nothing');
  for (let choice = queue.shift(); choice !== undefined; choice = queue.shift()) {
    const revision = moment.revision + 1;
    const rows = new Map(moment.rows);
    for (const nodeId of NODES.filter((_, index) => (choice >> index) % 2 === 1).filter(isOpen)) {
      const options = NEXT[rows.get(nodeId)?.status ?? 'nothing'] ?? [];
      rows.set(nodeId, row(nodeId, options[(choice + revision) % options.length] ?? 'completed', revision));
    }
    if (rows.size === 0) continue;
    const open = [...rows.values()].filter(({ status }) => status === 'running' || status === 'paused');
    const isPaused = open.length > 0 && open.every(({ status }) => status === 'paused');
    moment = { status: isPaused ? 'paused' : 'running', revision, rows };
    history.push(moment);
  }
  const isOver = NODES.every((nodeId) => !isOpen(nodeId));
  if (isOver || isCancelled) {
    history.push({ ...moment, status: isOver ? 'completed' : 'failed', revision: moment.revision + 1 });
  }
  return history;
}

/** Like `readExecutionPages`: rows newer than `since`, whole revisions, at most `atMost` of them. */
function read({ status, revision, rows }: Moment, seen: number, atMost: number): RunChanges {
  const fresh = [...rows.values()].filter((one) => one.revision > seen).sort((a, b) => a.revision - b.revision);
  const revisions = [...new Set(fresh.map((one) => one.revision))];
  const kept = revisions.slice(0, atMost);
  return {
    executionId: 'exec_x',
    status,
    revision,
    output: isFinalStatus(status) ? { result: 1 } : null,
    startedAt: at(0),
    completedAt: isFinalStatus(status) ? at(revision) : null,
    rows: fresh.filter((one) => kept.includes(one.revision)),
    isLast: kept.length === revisions.length,
    skipped: isFinalStatus(status) ? NODES.filter((nodeId) => !rows.has(nodeId)) : [],
    readAt: at(revision),
  };
}

/** All messages of a subscriber who reads at these moments. The first moment is the subscription. */
function toldAt(moments: readonly Moment[], atMost: number): SocketServerMessage[] {
  const told: SocketServerMessage[] = [];
  let progress = INITIAL_PROGRESS;
  for (const moment of moments) {
    for (let isLast = false; !isLast && !progress.isDone;) {
      const page = read(moment, progress.revision, atMost);
      const step = updateMessages(progress, page);
      told.push(...step.messages);
      progress = step.after;
      ({ isLast } = page);
    }
  }
  return told;
}

const story = fc
  .record({
    choices: fc.array(fc.nat(255), { maxLength: 12 }),
    isCancelled: fc.boolean(),
    looks: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    atMost: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ choices, isCancelled, looks, atMost }) => {
    const history = historyOf(choices, isCancelled);
    const seen = history.filter((moment, index) => looks[index] || moment === history.at(-1));
    return { seen, told: toldAt(seen, atMost), end: history.at(-1) as Moment };
  });

describe('the messages of a subscriber, for any run and any moments of reading', () => {
  test('begin with the status at the subscription and end with the final status', () => {
    fc.assert(
      fc.property(story, ({ seen, told, end }) => {
        expect(told[0]).toMatchObject({ type: 'execution_update', status: seen[0]?.status });
        const ends = told.filter(({ type }) => type === 'execution_completed');
        expect(ends).toHaveLength(isFinalStatus(end.status) ? 1 : 0);
        if (!isFinalStatus(end.status)) return;
        expect(told.at(-1)).toEqual({
          type: 'execution_completed',
          executionId: 'exec_x',
          status: end.status,
          output: { result: 1 },
        });
      }),
    );
  });

  test('report each completed node once, with its output', () => {
    fc.assert(
      fc.property(story, ({ told, end }) => {
        const completed = told.filter((message) => message.type === 'node_completed');
        const wanted = [...end.rows.values()].filter(({ status }) => status === 'completed');
        expect(completed.map(({ nodeId, output }) => [nodeId, output]).sort()).toEqual(
          wanted.map(({ nodeId, output }) => [nodeId, output]).sort(),
        );
      }),
    );
  });

  test('never repeat a status, and never report a running node while the run is paused', () => {
    fc.assert(
      fc.property(story, ({ told, end }) => {
        const last = new Map<string | undefined, string>();
        for (const message of told) {
          if (message.type !== 'execution_update') continue;
          const { nodeId, status } = message;
          expect(status).not.toBe(last.get(nodeId));
          if (nodeId !== undefined && status === 'running') expect(last.get(undefined)).toBe('running');
          last.set(nodeId, status);
        }
        expect(last.get(undefined)).toBe(end.status);
      }),
    );
  });

  test('report that a node runs before they report its end, unless it ran at the subscription', () => {
    fc.assert(
      fc.property(story, ({ seen, told }) => {
        for (const nodeId of NODES) {
          const updates = told.filter((message) => message.type === 'execution_update' && message.nodeId === nodeId);
          const statuses = updates.map((message) => (message.type === 'execution_update' ? message.status : ''));
          const isEnd = (status: string) => status === 'completed' || status === 'failed';
          expect(statuses.slice(0, -1).some(isEnd)).toBe(false);
          if (isEnd(statuses[0] ?? '')) expect(['running', 'paused']).toContain(seen[0]?.rows.get(nodeId)?.status);
        }
      }),
    );
  });
});

test('a run that was never read while running is reported step by step', () => {
  const rows = new Map([['a', row('a', 'completed', 1)]]);
  const told = toldAt(
    [
      { status: 'pending', revision: 0, rows: new Map() },
      { status: 'completed', revision: 2, rows },
    ],
    5,
  );
  expect(
    told.map((message) => [
      message.type,
      'nodeId' in message ? message.nodeId : '',
      'status' in message ? message.status : '',
    ]),
  ).toEqual([
    ['execution_update', '', 'pending'],
    ['execution_update', '', 'running'],
    ['execution_update', 'a', 'running'],
    ['execution_update', 'a', 'completed'],
    ['node_completed', 'a', ''],
    ['execution_update', 'b', 'skipped'],
    ['execution_update', 'c', 'skipped'],
    ['execution_update', 'd', 'skipped'],
    ['execution_update', '', 'completed'],
    ['execution_completed', '', 'completed'],
  ]);
});

test('cancelling a paused run does not report it as running', () => {
  const waiting = row('a', 'paused', 1);
  const told = toldAt(
    [
      { status: 'paused', revision: 1, rows: new Map([['a', waiting]]) },
      { status: 'failed', revision: 2, rows: new Map([['a', row('a', 'failed', 2)]]) },
    ],
    5,
  );
  expect(told.filter(({ type }) => type === 'execution_update')).not.toContainEqual(
    expect.objectContaining({ status: 'running' }),
  );
});
