import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { buildWorkflow, buildWorkspace } from '@/server/testing/factories';
import { addUpTally, countExecutions, splitWholeHours, type ExecutionCountFilter } from './tally';

useDatabase();

let workspaceId: string;
let workflowId: string;

beforeEach(async () => {
  workspaceId = await buildWorkspace();
  workflowId = await buildWorkflow({ workspaceId });
});

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-05-01T12:00:00.000Z');
const at = (hours: number) => new Date(NOON + hours * HOUR_MS);

const store = async (status: string, created: Date, more: { workflowId?: string; trigger?: string } = {}) => {
  const id = generateOrderedId('exec');
  const isOver = status === 'completed' || status === 'failed';
  await prismaClient().execution.create({
    data: {
      id,
      workspaceId,
      workflowId: more.workflowId ?? workflowId,
      workflowVersion: 1,
      status,
      trigger: more.trigger ?? 'manual',
      input: {},
      createdAt: created,
      completedAt: isOver ? created : null,
    },
  });
  return id;
};
const count = (filter: Partial<ExecutionCountFilter> = {}) => countExecutions({ workspaceId, ...filter });

describe('the count of executions', () => {
  test('equals a plain count for any filter', async () => {
    const other = await buildWorkflow({ workspaceId });
    const statuses = ['pending', 'running', 'paused', 'completed', 'failed'] as const;
    for (const [index, status] of [...statuses, ...statuses, ...statuses].entries()) {
      await store(status, at(index * 0.4), {
        workflowId: index % 2 ? other : workflowId,
        trigger: index % 3 ? 'webhook' : 'manual',
      });
    }
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const moment = optional(fc.integer({ min: -10, max: 80 }).map((tenth) => at(tenth / 10).toISOString()));
    const filters = fc.record({
      workflowIds: optional(fc.subarray([workflowId, other])),
      status: optional(fc.constantFrom(...statuses)),
      trigger: optional(fc.constantFrom('manual' as const, 'webhook' as const)),
      from: moment,
      to: moment,
    });
    await fc.assert(
      fc.asyncProperty(filters, async ({ from, to, workflowIds, ...filter }) => {
        const plain = await prismaClient().execution.count({
          where: { workspaceId, ...filter, workflowId: { in: workflowIds }, createdAt: { gte: from, lte: to } },
        });
        expect(await count({ ...filter, workflowIds, from, to })).toBe(plain);
      }),
    );
  });

  test('includes ended and removed executions, before and after adding up', async () => {
    const ids = [await store('running', at(0)), await store('running', at(0)), await store('completed', at(0))];
    await databasePool().query(`UPDATE execution SET status = 'completed', completed_at = now() WHERE id = $1`, [
      ids[0],
    ]);
    expect([await count(), await count({ status: 'completed' })]).toEqual([3, 2]);
    await addUpTally();
    expect([await count(), await count({ status: 'completed' })]).toEqual([3, 2]);
    await prismaClient().execution.delete({ where: { id: ids[2] } });
    expect([await count(), await count({ status: 'completed' })]).toEqual([2, 1]);
    await prismaClient().workflow.delete({ where: { id: workflowId } });
    expect(await count()).toBe(0);
    await addUpTally();
    const scopes = { scope: { in: [workspaceId, workflowId] } };
    expect(await prismaClient().executionTally.findMany({ where: scopes })).toEqual([]);
  });

  test('is correct while changes are added up concurrently', async () => {
    for (let run = 0; run < 40; run += 1) await store('completed', at(0));
    await Promise.all([addUpTally(), addUpTally(), store('completed', at(0)), addUpTally()]);
    expect(await count()).toBe(41);
    await addUpTally();
    expect(await prismaClient().executionTally.count({ where: { scope: workspaceId } })).toBe(1);
  });

  test('excludes other workspaces', async () => {
    await store('completed', at(0));
    expect(await countExecutions({ workspaceId: await buildWorkspace(), workflowIds: [workflowId] })).toBe(0);
  });
});

test('a time span is split into whole hours and its ends', () => {
  const half = HOUR_MS / 2;
  expect(splitWholeHours([NOON + half, NOON + 3 * HOUR_MS + half])).toEqual({
    hours: [NOON + HOUR_MS, NOON + 3 * HOUR_MS],
    ends: [
      [NOON + half, NOON + HOUR_MS],
      [NOON + 3 * HOUR_MS, NOON + 3 * HOUR_MS + half],
    ],
  });
  expect(splitWholeHours([NOON + 1, NOON + 2])).toEqual({ hours: [0, 0], ends: [[NOON + 1, NOON + 2]] });
  expect(splitWholeHours([-Infinity, Infinity])).toEqual({ hours: [-Infinity, Infinity], ends: [] });
});
