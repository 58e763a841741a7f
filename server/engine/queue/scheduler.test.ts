import { beforeEach, describe, expect, it } from 'vitest';
import { prisma } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { useDatabase } from '@/server/testing/database';
import { fireDue } from './scheduler';

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
  const workspace = { id: newId('ws'), name: 'w', slug: newId('ws').toLowerCase(), tier: 'unlimited', updatedAt: NOW };
  await prisma().workspace.create({ data: workspace });
  workflowId = newId('wf');
  const content = { name: 'w', description: '', definition, version: 1 };
  await prisma().workflow.create({ data: { id: workflowId, workspaceId: workspace.id, status: 'active', ...content } });
  await prisma().workflowVersion.create({ data: { id: newId('wfv'), workflowId, message: '', ...content } });
});

const add = (more: object = {}) =>
  prisma().schedule.create({
    data: {
      id: newId('sch'),
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
const read = (id: string) => prisma().schedule.findUniqueOrThrow({ where: { id } });
const runs = () => prisma().execution.findMany({ where: { workflowId } });

describe('a schedule', () => {
  it('makes up for missed ticks with one run, and continues from now', async () => {
    const { id } = await add();
    await fireDue(NOW);
    await fireDue(NOW);
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
    await Promise.all(Array.from({ length: 8 }, () => fireDue(NOW)));
    expect(await runs()).toHaveLength(1);
  });

  it('skips a tick while the previous run is running, unless runs may overlap', async () => {
    const [skipping, allowing] = [await add(), await add({ overlap: 'allow' })];
    await fireDue(NOW);
    await prisma().schedule.updateMany({ data: { nextRunAt: EARLIER } });
    await fireDue(NOW);
    expect(await runs()).toHaveLength(3);
    expect((await read(skipping.id)).lastError).toContain('still running');
    expect((await read(skipping.id)).lastMissedReason).toContain('still running');
    expect((await read(allowing.id)).lastError).toBeNull();
  });

  it.each(['draft', 'paused'])(
    'skips ticks while its workflow is %s, and does not make up for them later',
    async (status) => {
      const { id } = await add();
      await prisma().workflow.update({ where: { id: workflowId }, data: { status } });
      await fireDue(NOW);
      expect(await runs()).toEqual([]);
      expect(await read(id)).toMatchObject({ nextRunAt: new Date('2026-03-01T13:00:00Z'), lastMissedAt: null });
    },
  );

  it('records why it could not start a run', async () => {
    const invalid = oneStart({ inputSchema: { type: 'object', required: ['customer'] } });
    await prisma().workflow.update({ where: { id: workflowId }, data: { definition: invalid } });
    const { id } = await add();
    await fireDue(NOW);
    expect(await runs()).toEqual([]);
    expect((await read(id)).lastError).toContain('customer');
  });

  it('is refused like a manual run when a credential is deleted', async () => {
    const mail = { id: 'm', type: 'send_email', credentialId: 'cred_gone', config: { subject: 'Hi', template: 'x' } };
    const invalid = { ...definition, nodes: [...definition.nodes, { ...mail, position: { x: 1, y: 1 } }] };
    await prisma().workflow.update({ where: { id: workflowId }, data: { definition: invalid } });
    const { id } = await add();
    await fireDue(NOW);
    expect(await runs()).toEqual([]);
    expect((await read(id)).lastError).toContain('nodes[1].credentialId');
    expect((await read(id)).nextRunAt).toEqual(new Date('2026-03-01T13:00:00Z'));
  });

  it('that is disabled or not due does not fire', async () => {
    await add({ enabled: false });
    await add({ nextRunAt: new Date('2026-03-01T12:00:31Z') });
    expect(await fireDue(NOW)).toBe(0);
  });
});
