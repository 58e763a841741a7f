import { afterEach, beforeEach, expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call } from '@/server/testing/factories';
import { itemsFrom, startSource, type Source } from '@/server/testing/servers/source';
import { itemsPoll, polledWorkflow, type PolledWorkflow } from '@/server/testing/polls';
import { storedRuns } from '@/server/testing/quotas';
import { executeDuePolls } from './poller';

useDatabase();

let source: Source;
let workflow: PolledWorkflow;

beforeEach(async () => {
  source = await startSource(itemsFrom(1, 3));
  workflow = await polledWorkflow();
});
afterEach(async () => {
  await source.close();
  await prismaClient().poll.deleteMany();
});

/** Makes the polls due and executes them. */
async function again(): Promise<void> {
  await workflow.makeDue();
  await executeDuePolls();
}

test('several processes execute a poll once', async () => {
  await workflow.poll(source.url);
  await Promise.all(Array.from({ length: 6 }, () => executeDuePolls()));
  expect(source.calls).toHaveLength(1);
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('a process whose lease was taken over commits nothing', async () => {
  const { id } = await workflow.poll(source.url);
  const answer = source.hold();
  const frozen = executeDuePolls();
  await expect.poll(() => source.calls.length).toBe(1);
  await prismaClient().poll.update({ where: { id }, data: { leaseUntil: new Date(0) } });
  const successor = executeDuePolls();
  await expect.poll(() => source.calls.length).toBe(2);
  answer();
  await Promise.all([frozen, successor]);
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('a limit of concurrent runs that refuses holds the rest back until there is room', async () => {
  const where = { id: workflow.workflowId };
  await prismaClient().workflow.update({ where, data: { concurrencyLimit: 2, concurrencyOverflow: 'refuse' } });
  const { id } = await workflow.poll(source.url);
  await executeDuePolls();
  expect(await workflow.started()).toEqual([1, 2]);
  expect(await workflow.read(id)).toMatchObject({ lastError: 'The limit of concurrent runs is reached.', failures: 1 });
  await prismaClient().execution.updateMany({ data: { status: 'completed' } });
  await again();
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('a quota of runs holds the rest back', async () => {
  await prismaClient().workspace.update({ where: { id: workflow.user.workspaceId }, data: { tier: 'free' } });
  await storedRuns(workflow.user.workspaceId, 49_998);
  const { id } = await workflow.poll(source.url);
  await executeDuePolls();
  expect(await workflow.started()).toEqual([1, 2]);
  expect((await workflow.read(id)).lastError).toContain('quota of stored runs');
});

test('a workspace with many slow sources leaves room for others', async () => {
  for (let count = 0; count < 30; count += 1) await workflow.poll(`${source.url}/slow`);
  const answer = source.hold();
  const slow = executeDuePolls();
  await expect.poll(() => source.calls.length).toBe(10);
  const other = await polledWorkflow();
  const quick = await startSource(itemsFrom(1, 1));
  await other.poll(quick.url);
  await executeDuePolls();
  expect(await other.started()).toEqual([1]);
  answer();
  await slow;
  await quick.close();
});

test('a credential is sent, masked in errors, and used only while the user who saved the poll may use it', async () => {
  const { id: userId, token } = workflow.user;
  const body = { name: 'Shop', type: 'api_key', config: { apiKey: 'sk-very-secret-value', header: 'X-API-Key' } };
  const { id: credentialId } = (await call<{ id: string }>('POST', '/api/credentials', { token, body })).body;
  const { id } = await workflow.poll(source.url, { node: { ...itemsPoll(source.url).node, credentialId } });
  await executeDuePolls();
  expect(await workflow.started()).toEqual([1, 2, 3]);
  expect(source.headers.at(-1)).toMatchObject({ 'x-api-key': 'sk-very-secret-value' });
  const used = await call<{ usedBy: object[] }>('GET', `/api/credentials/${credentialId}`, { token });
  expect(JSON.stringify(used.body)).toContain(workflow.workflowId);
  // The answer names what was sent.
  source.status = 500;
  await again();
  expect((await workflow.read(id)).lastError).toMatch(/x-api-key/);
  expect((await workflow.read(id)).lastError).not.toContain('secret');
  await prismaClient().roleAssignment.deleteMany({ where: { userId } });
  const calls = source.calls.length;
  await again();
  expect(source.calls).toHaveLength(calls);
  const { lastError } = await prismaClient().poll.findUniqueOrThrow({ where: { id } });
  expect(lastError).toContain('FORBIDDEN: The poll may not use the credential');
});

test('changing the node or the cursor needs the permission to use the credential', async () => {
  const { token, workspaceId } = workflow.user;
  const body = { name: 'Shop', type: 'api_key', config: { apiKey: 'sk-very-secret-value', header: 'X-API-Key' } };
  const { id: credentialId } = (await call<{ id: string }>('POST', '/api/credentials', { token, body })).body;
  const node = { ...itemsPoll(source.url).node, credentialId };
  const { id } = await workflow.poll(source.url, { node });
  const role = { name: 'Pollster', permissions: ['workflow', 'poll'].map((resource) => ({ resource, action: '*' })) };
  const made = (await call<{ id: string }>('POST', '/api/roles', { token, body: role })).body;
  const other = await buildUser({ workspaceId, role: 'viewer' });
  await prismaClient().roleAssignment.updateMany({ where: { userId: other.id }, data: { roleId: made.id } });
  const change = async (settings: object) => {
    const path = `/api/workflows/${workflow.workflowId}/polls/${id}`;
    return (await call('PUT', path, { token: other.token, body: settings })).status;
  };
  expect(await change({ name: 'Renamed' })).toBe(200);
  expect(await change({ node: { ...node, config: { url: `${source.url}/else` } } })).toBe(403);
  expect(await change({ cursor: 'input.body.next' })).toBe(403);
  // The owner's permissions still count.
  await again();
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('alerts are told once of a series of failures', async () => {
  const { user, workflowId } = workflow;
  await prismaClient().alert.create({
    data: {
      id: `alrt_${workflowId}`,
      workspaceId: user.workspaceId,
      event: 'schedule_missed',
      emails: ['ada@example.com'],
      throttleMinutes: 0,
    },
  });
  await workflow.poll(source.url);
  source.status = 500;
  await executeDuePolls();
  await again();
  const where = { workflowId, event: 'schedule_missed' };
  expect(await prismaClient().alertEvent.count({ where })).toBe(1);
});

test('keys above the limit are forgotten, but for those of the last answer', async () => {
  const { id } = await workflow.poll(source.url);
  await prismaClient().$executeRaw`INSERT INTO poll_seen (poll_id, key, returned_at)
    SELECT ${id}, 'old ' || n, timestamptz '2026-01-01' + n * interval '1 second' FROM generate_series(1, 50000) n`;
  await executeDuePolls();
  expect(await prismaClient().pollSeen.count({ where: { pollId: id } })).toBe(50_000);
  expect(await prismaClient().pollSeen.count({ where: { pollId: id, key: { in: ['old 1', 'old 2', 'old 3'] } } })).toBe(
    0,
  );
  expect(await workflow.started()).toEqual([1, 2, 3]);
});

test('two workspaces that poll one source have their own keys and runs', async () => {
  const other = await polledWorkflow();
  await workflow.poll(source.url);
  await other.poll(source.url, { first: 'skip' });
  await executeDuePolls();
  expect(await workflow.started()).toEqual([1, 2, 3]);
  expect(await other.started()).toEqual([]);
});
