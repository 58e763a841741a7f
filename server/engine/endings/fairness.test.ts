import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeAlertNotices } from '@/server/network/alerts/notices';
import { deliverDueNotices } from '@/server/network/alerts/deliver';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, type TestUser } from '@/server/testing/factories';
import { removeEndedRunData } from './run-data-removal';
import { processRunEndings } from './endings';
import { runDueFollowUps } from './follow-ups';

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
  await prismaClient().runEnding.deleteMany();
  await prismaClient().alertEvent.deleteMany();
  await prismaClient().outboxMail.deleteMany();
  await prismaClient().workspace.deleteMany();
});

const tenantOf = async (user: TestUser): Promise<Tenant> => ({
  ...user,
  workflowId: await buildWorkflow({ workspaceId: user.workspaceId }),
});

/** Stores runs that have just ended; the trigger of the table stores what is to follow. */
async function end({ workspaceId, workflowId }: Tenant, count: number, status = 'failed'): Promise<void> {
  const error = status === 'failed' ? { code: 'OOPS', message: 'as asked', nodeId: null } : null;
  await databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, error, completed_at)
     SELECT $1 || n, $2, $3, 1, $4, 'manual', '{}', $5, now() FROM generate_series(1, $6) n`,
    [generateId('exec'), workspaceId, workflowId, status, error, count],
  );
  await makeDue('follow');
}

/** A time in milliseconds can be rounded to one that is not over yet, so it is set a second back. */
const makeDue = (kind: string) =>
  databasePool().query(`UPDATE run_ending SET due_at = now() - interval '1 second' WHERE kind = $1`, [kind]);

/** Failures of the tenant start an error workflow. */
async function handleErrors(tenant: Tenant): Promise<void> {
  const errorWorkflowId = await buildWorkflow({ workspaceId: tenant.workspaceId });
  const settings = { errorWorkflowId, errorWorkflowBy: tenant.id };
  await prismaClient().workspace.update({ where: { id: tenant.workspaceId }, data: { settings } });
}

const alertOf = async ({ workspaceId }: Tenant, event: string) => {
  const to = { emails: ['ada@example.com'], throttleMinutes: 0 };
  await prismaClient().alert.create({ data: { id: generateId('alrt'), workspaceId, event, ...to } });
};
const errorRuns = ({ workspaceId }: Tenant) =>
  prismaClient().execution.count({ where: { workspaceId, trigger: 'error' } });
const waiting = ({ workspaceId }: Tenant) => prismaClient().runEnding.count({ where: { workspaceId } });

async function settle(): Promise<void> {
  while ((await processRunEndings()) > 0);
}

test('a flood of one workspace delays the error workflow of another by one turn', async () => {
  await handleErrors(attacker);
  await handleErrors(waiter);
  await end(attacker, 200);
  await end(waiter, 1);
  await runDueFollowUps();
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
  expect(await prismaClient().runEnding.count()).toBe(0);
});

test('an end that fails is postponed, and does not hold up others', async () => {
  await handleErrors(waiter);
  await end(waiter, 2);
  await databasePool().query(`ALTER TABLE execution ADD CONSTRAINT no_error_runs CHECK (trigger <> 'error') NOT VALID`);
  try {
    await runDueFollowUps();
  } finally {
    await databasePool().query('ALTER TABLE execution DROP CONSTRAINT no_error_runs');
  }
  expect(await prismaClient().runEnding.findMany({ select: { tries: true } })).toEqual([{ tries: 1 }, { tries: 1 }]);
  await makeDue('follow');
  await settle();
  expect(await errorRuns(waiter)).toBe(2);
});

test('the removal of data, events and notices of a workspace get their share, too', { tags: 'long' }, async () => {
  for (const tenant of [attacker, waiter]) {
    await prismaClient().workflow.update({
      where: { id: tenant.workflowId },
      data: { settings: { saveData: 'none' } },
    });
    await alertOf(tenant, 'run_failed');
  }
  await end(attacker, 250);
  await end(waiter, 1);
  const where = { workspaceId: waiter.workspaceId };
  await runDueFollowUps();
  expect(await prismaClient().alertEvent.count({ where: { ...where, event: 'run_failed' } })).toBe(1);
  while ((await runDueFollowUps()) > 0);
  await writeAlertNotices();
  expect(await prismaClient().alertNotice.count({ where })).toBe(1);
  while ((await writeAlertNotices()) > 0);
  await deliverDueNotices();
  expect(await prismaClient().outboxMail.count({ where })).toBe(1);
  await makeDue('clean');
  await removeEndedRunData();
  expect(await prismaClient().execution.count({ where: { ...where, dataRemovedAt: null } })).toBe(0);
  expect(await waiting(attacker)).toBeGreaterThan(140);
});

test('a completed run is followed only while its workflow is failing', async () => {
  await alertOf(waiter, 'run_recovered');
  await end(waiter, 1, 'completed');
  expect(await waiting(waiter)).toBe(0);
  await end(waiter, 1);
  await settle();
  await end(waiter, 3, 'completed');
  expect(await prismaClient().runEnding.count({ where: { kind: 'follow' } })).toBe(3);
  await settle();
  await end(waiter, 1, 'completed');
  expect(await prismaClient().runEnding.count({ where: { kind: 'follow' } })).toBe(0);
  expect((await prismaClient().alertEvent.findMany()).map(({ event }) => event)).toEqual([
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
  expect(await prismaClient().alertEvent.count({ where: { event: 'run_recovered' } })).toBe(0);
  await makeDue('recheck');
  await settle();
  expect(await prismaClient().alertEvent.count({ where: { event: 'run_recovered' } })).toBe(1);
  expect(await waiting(waiter)).toBe(0);
});
