import { beforeEach, describe, expect, it, vi } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { evaluatorPool as evaluationPool } from '@/server/evaluation/evaluator/evaluation';
import { useDatabase } from '@/server/testing/database';
import { gate, until } from '@/server/testing/runs';
import { fireDueTicks, TickScheduler } from './scheduler';

useDatabase();

const NOW = new Date('2026-03-01T12:00:30Z');
const EARLIER = new Date('2026-03-01T09:00:00Z');
const oneStart = (config: object) => ({
  nodes: [{ id: 'start', type: 'start', position: { x: 0, y: 0 }, config }],
  connections: [],
});
const definition = oneStart({});

let workflowId: string;

beforeEach(async () => {
  const workspace = {
    id: generateId('ws'),
    name: 'w',
    slug: generateId('ws').toLowerCase(),
    tier: 'unlimited',
    updatedAt: NOW,
  };
  await prismaClient().workspace.create({ data: workspace });
  workflowId = generateId('wf');
  const content = { name: 'w', description: '', definition, version: 1 };
  await prismaClient().workflow.create({
    data: { id: workflowId, workspaceId: workspace.id, status: 'active', ...content },
  });
  await prismaClient().workflowVersion.create({ data: { id: generateId('wfv'), workflowId, message: '', ...content } });
});

const add = (more: object = {}) =>
  prismaClient().schedule.create({
    data: {
      id: generateId('sch'),
      workflowId,
      cron: '0 * * * *',
      timezone: 'UTC',
      input: { by: 'clock' },
      enabled: true,
      overlap: 'skip',
      nextRunAt: EARLIER,
      ...more,
    },
  });
const read = (id: string) => prismaClient().schedule.findUniqueOrThrow({ where: { id } });
const runs = () => prismaClient().execution.findMany({ where: { workflowId } });

describe('a schedule', () => {
  it('makes up for missed ticks with one run, and continues from now', async () => {
    const { id } = await add();
    await fireDueTicks(NOW);
    await fireDueTicks(NOW);
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({ trigger: 'schedule', status: 'pending', input: { by: 'clock' } });
    expect(await read(id)).toMatchObject({
      nextRunAt: new Date('2026-03-01T13:00:00Z'),
      lastRunAt: NOW,
      lastExecutionId: run?.id,
      lastError: null,
      lastMissedAt: EARLIER,
      lastMissedReason: expect.stringContaining('No worker'),
    });
  });

  it('fires once with several processes', async () => {
    await add();
    await Promise.all(Array.from({ length: 8 }, () => fireDueTicks(NOW)));
    expect(await runs()).toHaveLength(1);
  });

  it('skips a tick while the previous run is running, unless runs may overlap', async () => {
    const [skipping, allowing] = [await add(), await add({ overlap: 'allow' })];
    await fireDueTicks(NOW);
    await prismaClient().schedule.updateMany({ data: { nextRunAt: EARLIER } });
    await fireDueTicks(NOW);
    expect(await runs()).toHaveLength(3);
    expect((await read(skipping.id)).lastError).toContain('still running');
    expect((await read(skipping.id)).lastMissedReason).toContain('still running');
    expect((await read(allowing.id)).lastError).toBeNull();
  });

  it.each(['draft', 'paused'])(
    'skips ticks while its workflow is %s, and does not make up for them later',
    async (status) => {
      const { id } = await add();
      await prismaClient().workflow.update({ where: { id: workflowId }, data: { status } });
      await fireDueTicks(NOW);
      expect(await runs()).toEqual([]);
      expect(await read(id)).toMatchObject({ nextRunAt: new Date('2026-03-01T13:00:00Z'), lastMissedAt: null });
    },
  );

  it('records why it could not start a run', async () => {
    const invalid = oneStart({ inputSchema: { type: 'object', required: ['customer'] } });
    await prismaClient().workflow.update({ where: { id: workflowId }, data: { definition: invalid } });
    const { id } = await add();
    await fireDueTicks(NOW);
    expect(await runs()).toEqual([]);
    expect((await read(id)).lastError).toContain('customer');
  });

  it('is refused like a manual run when a credential is deleted', async () => {
    const mail = { id: 'm', type: 'send_email', credentialId: 'cred_gone', config: { subject: 'Hi', template: 'x' } };
    const invalid = { ...definition, nodes: [...definition.nodes, { ...mail, position: { x: 1, y: 1 } }] };
    await prismaClient().workflow.update({ where: { id: workflowId }, data: { definition: invalid } });
    const { id } = await add();
    await fireDueTicks(NOW);
    expect(await runs()).toEqual([]);
    expect((await read(id)).lastError).toContain('nodes[1].credentialId');
    expect((await read(id)).nextRunAt).toEqual(new Date('2026-03-01T13:00:00Z'));
  });

  it('whose workflow refuses more runs skips its tick', async () => {
    await prismaClient().workflow.update({
      where: { id: workflowId },
      data: { concurrencyLimit: 1, concurrencyOverflow: 'refuse' },
    });
    await add({ overlap: 'allow' });
    await fireDueTicks(NOW);
    const { id } = await add({ overlap: 'allow' });
    await fireDueTicks(NOW);
    expect(await runs()).toHaveLength(1);
    expect(await read(id)).toMatchObject({
      lastError: 'The limit of concurrent runs is reached.',
      lastMissedAt: EARLIER,
    });
  });

  it('is fired although the tick of another one fails, which stays due', async () => {
    const [bad, good] = [await add(), await add()];
    await databasePool().query(
      `CREATE FUNCTION fail_tick() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    );
    await databasePool().query(
      `CREATE TRIGGER fail_tick BEFORE UPDATE ON schedule FOR EACH ROW WHEN (OLD.id = '${bad.id}') EXECUTE FUNCTION fail_tick()`,
    );
    const scheduler = new TickScheduler();
    try {
      await scheduler.startDueTicks(NOW);
      await scheduler.whenIdle();
    } finally {
      await databasePool().query('DROP TRIGGER fail_tick ON schedule; DROP FUNCTION fail_tick()');
    }
    expect((await runs()).map(({ triggeredBy }) => triggeredBy)).toEqual([{ id: good.id, name: '0 * * * *' }]);
    expect((await read(bad.id)).nextRunAt).toEqual(EARLIER);
    await fireDueTicks(NOW);
    expect(await runs()).toHaveLength(2);
  });

  it('of a workspace is not delayed by the checks of another, which wait for their evaluations', async () => {
    const quiet = await add();
    const busy = {
      id: generateId('ws'),
      name: 'b',
      slug: generateId('ws').toLowerCase(),
      tier: 'unlimited',
      updatedAt: NOW,
    };
    await prismaClient().workspace.create({ data: busy });
    const slow = oneStart({ inputSchema: { type: 'object', required: ['n'] } });
    const held = gate();
    const evaluators = evaluationPool();
    const run = evaluators.run.bind(evaluators);
    const waiting = vi.spyOn(evaluators, 'run').mockImplementation(async (...job) => {
      await held.opened;
      return run(...job);
    });
    const content = { name: 'b', description: '', definition: slow, version: 1 };
    const busyFlow = generateId('wf');
    await prismaClient().workflow.create({
      data: { id: busyFlow, workspaceId: busy.id, status: 'active', ...content },
    });
    await prismaClient().workflowVersion.create({
      data: { id: generateId('wfv'), workflowId: busyFlow, message: '', ...content },
    });
    for (let n = 0; n < 60; n += 1)
      await add({
        workflowId: busyFlow,
        overlap: 'allow',
        input: { n },
        nextRunAt: new Date(EARLIER.getTime() - 1000),
      });
    const scheduler = new TickScheduler();
    try {
      await scheduler.startDueTicks(NOW);
      await until(async () => (await read(quiet.id)).lastExecutionId, 'the run of the other workspace');
      expect(await prismaClient().execution.count({ where: { workspaceId: busy.id } })).toBe(0);
    } finally {
      held.open();
      await scheduler.whenIdle();
      waiting.mockRestore();
    }
    await fireDueTicks(NOW);
    expect(await prismaClient().execution.count({ where: { workspaceId: busy.id } })).toBe(60);
  });

  it(
    'fires once, and none is dropped, with a thousand others at the same time in several processes',
    { tags: 'long' },
    async () => {
      await databasePool().query(
        `INSERT INTO schedule (id, workflow_id, cron, timezone, input, enabled, overlap, next_run_at)
       SELECT 'sch_many_' || n, $1, '* * * * *', 'UTC', '{}', true, 'skip', $2 FROM generate_series(1, 1000) n`,
        [workflowId, NOW],
      );
      await Promise.all([fireDueTicks(NOW), fireDueTicks(NOW)]);
      const { rows } = await databasePool().query<{ runs: number; schedules: number }>(
        `SELECT count(*)::int AS runs, count(DISTINCT triggered_by ->> 'id')::int AS schedules FROM execution WHERE workflow_id = $1`,
        [workflowId],
      );
      expect(rows).toEqual([{ runs: 1000, schedules: 1000 }]);
      expect(await prismaClient().schedule.count({ where: { workflowId, nextRunAt: { lte: NOW } } })).toBe(0);
    },
  );

  it('that is disabled or not due does not fire', async () => {
    await add({ enabled: false });
    await add({ nextRunAt: new Date('2026-03-01T12:00:31Z') });
    expect(await fireDueTicks(NOW)).toBe(0);
  });
});
