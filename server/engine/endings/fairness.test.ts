import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeNotices } from '@/server/alerts/notices';
import { deliverNotices } from '@/server/alerts/deliver';
import { pool, prisma } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, type TestUser } from '@/server/testing/factories';
import { cleanEnded } from './clean';
import { followEndings } from './endings';
import { followEnded } from './follow';

// No worker runs: the rows wait until the test follows them.
useDatabase();

interface Tenant extends TestUser {
  workflowId: string;
}

let attacker: Tenant;
let waiter: Tenant;
beforeEach(async () => {
  const users = [await buildUser(), await buildUser()];
  // The attacker's workspace has the first turn of each round.
  users.sort((one, other) => (one.workspaceId < other.workspaceId ? -1 : 1));
  [attacker, waiter] = (await Promise.all(users.map(tenantOf))) as [Tenant, Tenant];
});
afterEach(async () => {
  await prisma().runEnding.deleteMany();
  await prisma().alertEvent.deleteMany();
  await prisma().outboxMail.deleteMany();
  await prisma().workspace.deleteMany();
});

const tenantOf = async (user: TestUser): Promise<Tenant> => ({
  ...user,
  workflowId: await buildWorkflow({ workspaceId: user.workspaceId }),
});

/** Stores runs that have just ended; the trigger of the table stores what is to follow. */
async function end({ workspaceId, workflowId }: Tenant, count: number, status = 'failed'): Promise<void> {
  const error = status === 'failed' ? { code: 'OOPS', message: 'as asked', nodeId: null } : null;
  await pool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, error, completed_at)
     SELECT $1 || n, $2, $3, 1, $4, 'manual', '{}', $5, now() FROM generate_series(1, $6) n`,
    [newId('exec'), workspaceId, workflowId, status, error, count],
  );
  await makeDue('follow');
}

/** A time in milliseconds can be rounded to one that is not over yet, so it is set a second back. */
const makeDue = (kind: string) =>
  pool().query(`UPDATE run_ending SET due_at = now() - interval '1 second' WHERE kind = $1`, [kind]);

/** Failures of the tenant start an error workflow. */
async function handleErrors(tenant: Tenant): Promise<void> {
  const errorWorkflowId = await buildWorkflow({ workspaceId: tenant.workspaceId });
  const settings = { errorWorkflowId, errorWorkflowBy: tenant.id };
  await prisma().workspace.update({ where: { id: tenant.workspaceId }, data: { settings } });
}

const alertOf = async ({ workspaceId }: Tenant, event: string) => {
  const to = { emails: ['ada@example.com'], throttleMinutes: 0 };
  await prisma().alert.create({ data: { id: newId('alrt'), workspaceId, event, ...to } });
};
const errorRuns = ({ workspaceId }: Tenant) => prisma().execution.count({ where: { workspaceId, trigger: 'error' } });
const waiting = ({ workspaceId }: Tenant) => prisma().runEnding.count({ where: { workspaceId } });

async function settle(): Promise<void> {
  while ((await followEndings()) > 0);
}

test('a flood of one workspace delays the error workflow of another by one turn', async () => {
  await handleErrors(attacker);
  await handleErrors(waiter);
  await end(attacker, 200);
  await end(waiter, 1);
  await followEnded();
  expect(await errorRuns(waiter)).toBe(1);
  expect(await waiting(attacker)).toBeGreaterThan(140);
});

test('several processes follow each end once, and lose none', async () => {
  await handleErrors(attacker);
  await handleErrors(waiter);
  await end(attacker, 60);
  await end(waiter, 20);
  await Promise.all([settle(), settle(), settle(), settle()]);
  await settle();
  expect([await errorRuns(attacker), await errorRuns(waiter)]).toEqual([60, 20]);
  expect(await prisma().runEnding.count()).toBe(0);
});

test('an end that fails is postponed, and does not hold up others', async () => {
  await handleErrors(waiter);
  await end(waiter, 2);
  await pool().query(`ALTER TABLE execution ADD CONSTRAINT no_error_runs CHECK (trigger <> 'error') NOT VALID`);
  try {
    await followEnded();
  } finally {
    await pool().query('ALTER TABLE execution DROP CONSTRAINT no_error_runs');
  }
  expect(await prisma().runEnding.findMany({ select: { tries: true } })).toEqual([{ tries: 1 }, { tries: 1 }]);
  await makeDue('follow');
  await settle();
  expect(await errorRuns(waiter)).toBe(2);
});

test('the removal of data, events and notices of a workspace get their share, too', { tags: 'long' }, async () => {
  for (const tenant of [attacker, waiter]) {
    await prisma().workflow.update({ where: { id: tenant.workflowId }, data: { settings: { saveData: 'none' } } });
    await alertOf(tenant, 'run_failed');
  }
  await end(attacker, 250);
  await end(waiter, 1);
  const where = { workspaceId: waiter.workspaceId };
  await followEnded();
  expect(await prisma().alertEvent.count({ where: { ...where, event: 'run_failed' } })).toBe(1);
  while ((await followEnded()) > 0);
  await writeNotices();
  expect(await prisma().alertNotice.count({ where })).toBe(1);
  while ((await writeNotices()) > 0);
  await deliverNotices();
  expect(await prisma().outboxMail.count({ where })).toBe(1);
  await makeDue('clean');
  await cleanEnded();
  expect(await prisma().execution.count({ where: { ...where, dataRemovedAt: null } })).toBe(0);
  expect(await waiting(attacker)).toBeGreaterThan(140);
});

test('a completed run is followed only while its workflow is failing', async () => {
  await alertOf(waiter, 'run_recovered');
  await end(waiter, 1, 'completed');
  expect(await waiting(waiter)).toBe(0);
  await end(waiter, 1);
  await settle();
  await end(waiter, 3, 'completed');
  expect(await prisma().runEnding.count({ where: { kind: 'follow' } })).toBe(3);
  await settle();
  await end(waiter, 1, 'completed');
  expect(await prisma().runEnding.count({ where: { kind: 'follow' } })).toBe(0);
  expect((await prisma().alertEvent.findMany()).map(({ event }) => event)).toEqual([
    'run_failed',
    'first_failure',
    'run_recovered',
  ]);
});

test('a run that completed before its workflow was known to be failing is found a little later', async () => {
  await alertOf(waiter, 'run_recovered');
  await end(waiter, 1);
  await end(waiter, 1, 'completed');
  await settle();
  expect(await prisma().alertEvent.count({ where: { event: 'run_recovered' } })).toBe(0);
  await makeDue('recheck');
  await settle();
  expect(await prisma().alertEvent.count({ where: { event: 'run_recovered' } })).toBe(1);
  expect(await waiting(waiter)).toBe(0);
});
