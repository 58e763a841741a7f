import { beforeAll, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { PendingDecision } from '@/contract/approval';
import { prismaClient } from '@/server/platform/db/client';
import { buildDecisionLink } from '@/server/engine/attempt/decision-link';
import { useWorker } from '@/server/testing/worker';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { until } from '@/server/testing/runs';

useDatabase();
useWorker();

let owner: TestUser;
beforeAll(async () => {
  owner = await buildUser();
});

const read = async (id: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token: owner.token })).body;
const reaches = (id: string, status: string) =>
  until(async () => {
    const execution = await read(id);
    return execution.status === status && execution;
  }, `${id} to be ${status}`);

/** A run that waits for one of these people, and the tokens in their mails. */
async function asking(config: object): Promise<{ id: string; mails: { to: string; text: string; token: string }[] }> {
  await prismaClient().outboxMail.deleteMany();
  const definition = flow(
    {
      s: { type: 'start' },
      ask: { type: 'approval', config: { message: 'Pay {{ input.sum * 2 & " " & nodes.s.currency }}?', ...config } },
    },
    ['s>ask'],
  );
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  const body = { input: { sum: 5, currency: 'EUR', boss: ['boss@example.com', 'other@example.com'] } };
  const answer = await call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
    token: owner.token,
    body,
  });
  await reaches(answer.body.executionId, 'paused');
  const mails = await prismaClient().outboxMail.findMany({ orderBy: { to: 'asc' } });
  return {
    id: answer.body.executionId,
    mails: mails.map(({ to, text }) => ({
      to: to.join(),
      text: text ?? '',
      token: /#(\S+)/.exec(text ?? '')?.[1] ?? '',
    })),
  };
}

const look = (token: string) => call<PendingDecision & Refused>('POST', '/api/decisions/look', { body: { token } });
const decide = (token: string, decision: string) =>
  call<PendingDecision & Refused>('POST', '/api/decisions', { body: { token, decision, comment: 'fine' } });

test('every assignee gets a mail with a separate link, and the first decision counts', async () => {
  const { id, mails } = await asking({ assignees: '{{ input.boss }}' });
  expect(mails.map(({ to }) => to)).toEqual(['boss@example.com', 'other@example.com']);
  const [boss, other] = mails.map(({ token }) => token) as [string, string];
  expect(mails[0]?.text).toContain('Pay 10 EUR?');
  expect((await look(boss)).body).toMatchObject({
    message: 'Pay 10 EUR?',
    email: 'boss@example.com',
    isOpen: true,
    decision: null,
  });

  expect((await read(id)).nodeResults[1]?.asked).toEqual({
    message: 'Pay 10 EUR?',
    assignees: ['boss@example.com', 'other@example.com'],
  });

  const made = await decide(boss, 'approved');
  expect([made.status, made.body]).toEqual([200, expect.objectContaining({ isOpen: false, decision: 'approved' })]);
  expect((await decide(other, 'rejected')).status).toBe(409);
  expect((await decide(boss, 'approved')).status).toBe(409);
  expect((await look(other)).body).toMatchObject({ isOpen: false, decision: 'approved' });
  expect((await reaches(id, 'completed')).output).toMatchObject({
    decision: 'approved',
    comment: 'fine',
    decidedBy: 'boss@example.com',
  });
  const [entry] = await prismaClient().auditEntry.findMany({ where: { action: 'decisions.make', result: 'success' } });
  expect(entry).toMatchObject({
    workspaceId: owner.workspaceId,
    metadata: { nodeId: 'ask', decidedBy: 'boss@example.com' },
  });
});

test('a forged or expired link is refused', async () => {
  const { id, mails } = await asking({ assignees: ['boss@example.com'], expiresInMs: 3_600_000 });
  const token = mails[0]?.token ?? '';
  const [text = '', signature = ''] = token.split('.');
  const facts = JSON.parse(Buffer.from(text, 'base64url').toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...facts, email: 'me@example.com' })).toString('base64url');
  const at = { executionId: id, nodeId: 'ask' };
  const past = buildDecisionLink({ ...at, email: 'boss@example.com' }, new Date(0)).split('#')[1] ?? '';
  const stranger = buildDecisionLink({ ...at, email: 'me@example.com' }, null).split('#')[1] ?? '';
  for (const bad of ['', 'x', `${forged}.${signature}`, text, `.${signature}`, past, stranger, `${token}x`]) {
    const { status, body } = await decide(bad, 'approved');
    expect([bad, status, body.error.details[0]?.field]).toEqual([bad, 400, 'token']);
  }
  expect((await look(token)).body.isOpen).toBe(true);
});

test('the assignees are those of the pending approval, in loops as well', async () => {
  const body = flow({ in: { type: 'start' }, ask: { type: 'approval', config: { assignees: ['{{ input.item }}'] } } }, [
    'in>ask',
  ]);
  const definition = flow({ s: { type: 'start' }, l: { type: 'for_each', config: { items: 'input.who', body } } }, [
    's>l',
  ]);
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  const [one, other] = [
    await buildUser({ ...owner, role: 'operator' }),
    await buildUser({ ...owner, role: 'operator' }),
  ];
  const answer = await call<{ executionId: string }>('POST', `/api/workflows/${workflowId}/execute`, {
    token: owner.token,
    body: { input: { who: [one.email] } },
  });
  const { executionId } = answer.body;
  await reaches(executionId, 'paused');
  const resume = (user: TestUser, nodeId = 'l[0].ask') =>
    call('POST', `/api/executions/${executionId}/resume`, {
      token: user.token,
      body: { nodeId, decision: 'approved' },
    });
  expect((await resume(other)).status).toBe(403);
  expect((await resume(owner, 'l[7].ask')).status).toBe(409);
  expect((await resume(owner, 'l[0].nobody')).status).toBe(400);
  expect((await resume(one)).status).toBe(200);
  await reaches(executionId, 'completed');
});

test('an approval without assignees sends no mail', async () => {
  expect((await asking({})).mails).toEqual([]);
  expect((await asking({ assignees: [] })).mails).toEqual([]);
});
