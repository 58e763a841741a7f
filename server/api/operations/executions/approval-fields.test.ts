import { beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import type { PendingDecision } from '@/contract/approval';
import { prismaClient } from '@/server/platform/db/client';
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

const FIELDS = [
  { name: 'amount', label: 'Amount', kind: 'number', required: true, min: 1, max: 100 },
  { name: 'code', label: 'Code', kind: 'text', pattern: '[A-Z]{3}' },
  { name: 'at', label: 'At', kind: 'datetime' },
  { name: 'urgent', label: 'Urgent', kind: 'checkbox' },
];

const read = async (id: string) =>
  (await call<ExecutionResponse>('GET', `/api/executions/${id}`, { token: owner.token })).body;
const reaches = (id: string, status: string) =>
  until(async () => {
    const execution = await read(id);
    return execution.status === status && execution;
  }, `${id} to be ${status}`);

async function asking(config: Record<string, unknown>): Promise<string> {
  const definition = flow({ s: { type: 'start' }, ask: { type: 'approval', config } }, ['s>ask']);
  const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
  const path = `/api/workflows/${workflowId}/execute`;
  const { body } = await call<{ executionId: string }>('POST', path, { token: owner.token, body: {} });
  await reaches(body.executionId, 'paused');
  return body.executionId;
}

const resume = (id: string, decision: string, data?: unknown, { token } = owner) =>
  call<ExecutionResponse & Refused>('POST', `/api/executions/${id}/resume`, {
    token,
    body: { nodeId: 'ask', decision, data },
  });
const detailsOf = ({ body }: { body: Refused }) => body.error.details;

describe('an approval with fields', () => {
  test('shows them while it waits, and puts the checked values into its output', async () => {
    const id = await asking({ message: 'How much?', form: { fields: FIELDS } });
    const waiting = (await read(id)).nodeResults.find(({ nodeId }) => nodeId === 'ask');
    expect(waiting?.asked).toEqual({ message: 'How much?', assignees: [], fields: FIELDS });
    const wrong = await resume(id, 'approved', { amount: '5', code: 'x', other: 1 });
    expect([wrong.status, detailsOf(wrong)]).toEqual([
      400,
      [
        { field: 'data.amount', message: 'must be a number' },
        { field: 'data.other', message: 'is not a field of this form' },
      ],
    ]);
    expect(detailsOf(await resume(id, 'approved'))).toEqual([{ field: 'data.amount', message: 'is required' }]);
    expect(detailsOf(await resume(id, 'approved', { amount: 5, code: 'abc' }))).toEqual([
      { field: 'data.code', message: 'does not have the expected format' },
    ]);
    expect(detailsOf(await resume(id, 'approved', 'five'))[0]?.field).toBe('data');
    expect((await read(id)).status).toBe('paused');
    const done = await resume(id, 'approved', { amount: 5, code: '', at: '2026-01-31T08:15+01:00' });
    expect(done.status).toBe(200);
    const { output } = await reaches(id, 'completed');
    expect(output).toMatchObject({
      decision: 'approved',
      data: { amount: 5, at: '2026-01-31T07:15:00.000Z', urgent: false },
    });
    expect(Object.keys((output as { data: object }).data)).toEqual(['amount', 'at', 'urgent']);
  });

  test('can be rejected without values; those that are given are checked', async () => {
    const id = await asking({ form: { fields: FIELDS } });
    expect(detailsOf(await resume(id, 'rejected', { amount: 500 }))).toEqual([
      { field: 'data.amount', message: 'must be at most 100' },
    ]);
    expect((await resume(id, 'rejected')).status).toBe(200);
    expect((await reaches(id, 'completed')).output).toMatchObject({ decision: 'rejected', data: { urgent: false } });
  });

  test('is decided by a mailed link as well', async () => {
    await prismaClient().outboxMail.deleteMany();
    const id = await asking({ assignees: ['boss@example.com'], form: { fields: FIELDS } });
    const [mail] = await prismaClient().outboxMail.findMany();
    const token = /#(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect((await call<PendingDecision>('POST', '/api/decisions/look', { body: { token } })).body.fields).toEqual(
      FIELDS,
    );
    const decide = (data: object) =>
      call<PendingDecision & Refused>('POST', '/api/decisions', { body: { token, decision: 'approved', data } });
    expect(detailsOf(await decide({ amount: 0 }))).toEqual([{ field: 'data.amount', message: 'must be at least 1' }]);
    expect((await decide({ amount: 7 })).body).toMatchObject({ decision: 'approved', isOpen: false });
    expect((await reaches(id, 'completed')).output).toMatchObject({ data: { amount: 7 } });
  });

  test('has empty data when it expires', async () => {
    const definition = flow(
      { s: { type: 'start' }, ask: { type: 'approval', config: { expiresInMs: 1, form: { fields: FIELDS } } } },
      ['s>ask'],
    );
    const workflowId = await buildWorkflow({ workspaceId: owner.workspaceId, definition });
    const path = `/api/workflows/${workflowId}/execute`;
    const { body } = await call<{ executionId: string }>('POST', path, { token: owner.token, body: {} });
    expect((await reaches(body.executionId, 'completed')).output).toMatchObject({ decision: 'rejected', data: {} });
  });

  test('tells another workspace nothing', async () => {
    const id = await asking({ form: { fields: FIELDS } });
    const refused = await resume(id, 'approved', { amount: 'x' }, await buildUser());
    expect([refused.status, detailsOf(refused)]).toEqual([404, []]);
  });
});

test('an approval without fields takes no data, and its output has none', async () => {
  const id = await asking({ message: 'Sure?' });
  expect(detailsOf(await resume(id, 'approved', { a: 1 }))[0]?.field).toBe('data');
  expect((await resume(id, 'approved')).status).toBe(200);
  expect(Object.keys((await reaches(id, 'completed')).output as object)).toEqual([
    'decision',
    'comment',
    'decidedBy',
    'decidedAt',
  ]);
});

test.each<[string, object, string]>([
  ['a name that is none', { name: '{{ input.a }}' }, 'nodes[1].config.form.fields[0].name'],
  ['a broken pattern', { pattern: '(' }, 'nodes[1].config.form.fields[0].pattern'],
  ['a file', { kind: 'file' }, 'nodes[1].config.form.fields[0].kind'],
  ['a select without options', { kind: 'select' }, 'nodes[1].config.form.fields[0].options'],
])('%s is refused when the workflow is saved', async (_, more, field) => {
  const fields = [{ name: 'a', label: 'A', kind: 'text', ...more }];
  const definition = flow({ s: { type: 'start' }, ask: { type: 'approval', config: { form: { fields } } } }, ['s>ask']);
  const body = { name: 'Refused', definition };
  const answer = await call<Refused>('POST', '/api/workflows', { token: owner.token, body });
  expect([answer.status, detailsOf(answer).map((one) => one.field)]).toEqual([400, [field]]);
});
