import { beforeAll, expect, test } from 'vitest';
import type { AnnotationResponse } from '@/contract/annotation';
import type { ExecutionSummary } from '@/contract/execution';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';

useDatabase();

let owner: TestUser;
let stranger: TestUser;
let workflowId: string;
beforeAll(async () => {
  owner = await buildUser();
  stranger = await buildUser();
  workflowId = await buildWorkflow({ workspaceId: owner.workspaceId });
});

async function started(): Promise<string> {
  const path = `/api/workflows/${workflowId}/execute`;
  return (await call<{ executionId: string }>('POST', path, { token: owner.token, body: {} })).body.executionId;
}

const at = (id: string) => `/api/executions/${id}/annotation`;
const set = (id: string, body: object, { token } = owner) =>
  call<AnnotationResponse & Refused>('PUT', at(id), { token, body });
const read = (id: string, { token } = owner) => call<AnnotationResponse & Refused>('GET', at(id), { token });
async function listed(query: string, { token } = owner) {
  const { body } = await call<{ data: ExecutionSummary[]; total: number }>('GET', `/api/executions?${query}`, {
    token,
  });
  return { ids: body.data.map(({ id }) => id), total: body.total, data: body.data };
}
const tagsOf = async ({ token }: TestUser) =>
  (await call<{ data: object[] }>('GET', '/api/execution-tags', { token })).body.data;

test('a run is rated, tagged, noted and kept; what is left out stays; empty again, it has none', async () => {
  const id = await started();
  expect((await read(id)).body).toMatchObject({ rating: null, tags: [], note: '', isKept: false, updatedAt: null });
  expect((await set(id, { rating: 'up', tags: ['good', 'de'] })).body).toMatchObject({ rating: 'up', isKept: false });
  const changed = await set(id, { note: 'Polite', isKept: true });
  expect(changed.body).toMatchObject({
    rating: 'up',
    tags: ['good', 'de'],
    note: 'Polite',
    isKept: true,
    updatedBy: owner.id,
  });
  expect((await read(id)).body).toEqual(changed.body);
  expect((await listed(`workflowId=${workflowId}`)).data[0]?.annotation).toEqual(changed.body);
  await set(id, { rating: null, tags: [], note: '', isKept: false });
  expect(await prismaClient().executionAnnotation.count({ where: { executionId: id } })).toBe(0);
});

test('invalid annotations are refused by their fields', async () => {
  const id = await started();
  const refusal = async (body: object) => (await set(id, body)).body.error.details.map(({ field }) => field);
  expect(await refusal({ rating: 'best' })).toEqual(['rating']);
  expect(await refusal({ tags: ['a', 'a'] })).toEqual(['tags']);
  expect(await refusal({ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) })).toEqual(['tags']);
  expect(await refusal({ tags: ['x'.repeat(51)] })).toEqual(['tags[0]']);
  expect(await refusal({ note: 'x'.repeat(2001), colour: 1 })).toEqual(['note', 'colour']);
});

test('operators annotate, viewers read, and another workspace does neither', async () => {
  const id = await started();
  const member = (role: 'operator' | 'viewer') => buildUser({ workspaceId: owner.workspaceId, role });
  const [operator, viewer] = [await member('operator'), await member('viewer')];
  expect((await set(id, { rating: 'down', tags: ['secret'] }, operator)).status).toBe(200);
  expect((await set(id, { rating: 'up' }, viewer)).status).toBe(403);
  expect((await read(id, viewer)).body.rating).toBe('down');
  expect((await set(id, { rating: 'up' }, stranger)).status).toBe(404);
  expect((await read(id, stranger)).status).toBe(404);
  expect(await tagsOf(stranger)).toEqual([]);
  expect(await tagsOf(viewer)).toContainEqual({ tag: 'secret', count: 1 });
  expect((await listed('tag=secret', stranger)).ids).toEqual([]);
  const where = { action: 'annotations.set', resource: { path: ['id'], equals: id }, result: 'success' };
  const [entry, ...others] = await prismaClient().auditEntry.findMany({ where });
  expect([entry?.actor, others]).toMatchObject([{ id: operator.id }, []]);
});

test('runs are listed by rating, by tag and by whether they are kept', async () => {
  const [good, bad, plain] = [await started(), await started(), await started()];
  await set(good, { rating: 'up', tags: ['sum', 'de'], isKept: true });
  await set(bad, { rating: 'down', tags: ['sum'] });
  const among = async (query: string) => {
    const { ids, total } = await listed(`workflowId=${workflowId}&limit=100&${query}`);
    expect(ids).toHaveLength(total);
    return [good, bad, plain].map((id) => ids.includes(id));
  };
  expect(await among('rating=up&tag=sum')).toEqual([true, false, false]);
  expect(await among('rating=down')).toEqual([false, true, false]);
  expect(await among('tag=sum')).toEqual([true, true, false]);
  expect(await among('tag=su')).toEqual([false, false, false]);
  expect(await among('kept=true')).toEqual([true, false, false]);
  expect(await among('kept=false&tag=sum')).toEqual([false, true, false]);
  expect(await among('kept=false')).toEqual([false, true, true]);
});

test('a run is deleted once it has ended, unless it is kept; strangers find none', async () => {
  const id = await started();
  const remove = ({ token } = owner) => call<Refused>('DELETE', `/api/executions/${id}`, { token });
  expect((await remove(stranger)).status).toBe(404);
  await prismaClient().execution.update({ where: { id }, data: { status: 'running' } });
  expect(await remove()).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('has not ended') } },
  });
  await prismaClient().execution.update({ where: { id }, data: { status: 'completed', completedAt: new Date() } });
  await set(id, { isKept: true });
  expect(await remove()).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('kept') } } });
  await set(id, { isKept: false, note: 'seen' });
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
  expect(await prismaClient().executionAnnotation.count({ where: { executionId: id } })).toBe(0);
  const plain = await started();
  await prismaClient().execution.update({ where: { id: plain }, data: { status: 'failed', completedAt: new Date() } });
  expect((await call('DELETE', `/api/executions/${plain}`, { token: owner.token })).status).toBe(204);
});
