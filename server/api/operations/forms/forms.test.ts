import { expect, test } from 'vitest';
import type { AuditEntryResponse } from '@/contract/audit';
import type { FormTrigger } from '@/contract/triggers/form';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused } from '@/server/testing/factories';
import { buildForm, createForm } from '@/server/testing/forms';

useDatabase();

const FIELDS = [
  { name: 'email', label: 'Email', kind: 'email', required: true },
  { name: 'colour', label: 'Colour', kind: 'select', options: ['red', { value: 'blue', label: 'Dark blue' }] },
  { name: 'zip', label: 'Zip', kind: 'text', pattern: '\\d{5}', min: 5, max: 5, help: 'Five digits' },
];

test('a form is created, read, changed and deleted, and each change is audited', async () => {
  const { user, workflowId, form } = await buildForm({ fields: FIELDS, description: 'All about it' });
  const { token } = user;
  const at = `/api/workflows/${workflowId}/forms`;
  expect(form).toMatchObject({
    workflowId,
    path: 'ask',
    url: `http://localhost:8080/forms/${workflowId}/ask`,
    description: 'All about it',
    fields: FIELDS,
    access: 'public',
    response: { mode: 'message', message: 'Thank you' },
  });
  expect((await call('GET', `${at}/${form.id}`, { token })).body).toEqual(form);
  expect((await call('GET', at, { token })).body).toEqual({ data: [form], total: 1, limit: 50, offset: 0 });
  const response = { mode: 'run_output' };
  const changed = await call<FormTrigger>('PUT', `${at}/${form.id}`, { token, body: { title: 'Other', response } });
  expect(changed.body).toMatchObject({ title: 'Other', fields: FIELDS, response: { ...response, timeoutMs: 30_000 } });
  expect((await call('DELETE', `${at}/${form.id}`, { token })).status).toBe(204);
  expect((await call('GET', `${at}/${form.id}`, { token })).status).toBe(404);
  const { body } = await call<{ data: AuditEntryResponse[] }>('GET', '/auth/audit?limit=100', { token });
  const entries = body.data.filter(({ resource }) => resource.type === 'form');
  expect(entries.map(({ action }) => action)).toEqual(['forms.delete', 'forms.update', 'forms.create']);
  expect(entries[1]?.metadata).toMatchObject({ changed: ['title', 'response'] });
  expect(entries.every(({ resource }) => resource.id === form.id)).toBe(true);
});

test('a path is used once in a workflow', async () => {
  const { user, workflowId, form } = await buildForm();
  expect((await createForm(user, workflowId)).status).toBe(409);
  const { body: other } = await createForm(user, workflowId, { path: 'other' });
  const at = `/api/workflows/${workflowId}/forms/${other.id}`;
  expect((await call('PUT', at, { token: user.token, body: { path: form.path } })).status).toBe(409);
});

const field = (more: object) => ({ fields: [{ name: 'a', label: 'A', kind: 'text', ...more }] });

const LONG_OPTIONS = Array.from({ length: 200 }, (_, n) => ({ value: `${n}`, label: 'x'.repeat(200) }));
const LARGE = ['a', 'b', 'c'].map((name) => ({ name, label: name, kind: 'select', options: LONG_OPTIONS }));

test.each<[string, object, string]>([
  ['a path with spaces', { path: 'a b' }, 'path'],
  ['an empty title', { title: '' }, 'title'],
  ['another access', { access: 'friends' }, 'access'],
  ['a script as redirect', { response: { mode: 'redirect', url: 'javascript:alert(1)' } }, 'response.url'],
  ['a redirect without slashes', { response: { mode: 'redirect', url: 'https:example.com' } }, 'response.url'],
  [
    'a redirect with a line break',
    { response: { mode: 'redirect', url: 'https://a.example/\r\nb: c' } },
    'response.url',
  ],
  ['a relative redirect', { response: { mode: 'redirect', url: '/home' } }, 'response.url'],
  ['a short time', { response: { mode: 'run_output', timeoutMs: 5 } }, 'response.timeoutMs'],
  ['an unknown mode', { response: { mode: 'mail' } }, 'response.mode'],
  ['an unknown kind', field({ kind: 'colour' }), 'fields[0].kind'],
  ['an unknown key', field({ value: 1 }), 'fields[0].value'],
  ['a name of the service', field({ name: '_token' }), 'fields[0].name'],
  ['a name twice', { fields: [...field({}).fields, ...field({}).fields] }, 'fields[1].name'],
  ['a select without options', field({ kind: 'select' }), 'fields[0].options'],
  ['reversed bounds', field({ min: 3, max: 2 }), 'fields[0].max'],
  ['a broken pattern', field({ pattern: '(' }), 'fields[0].pattern'],
  ['a pattern that closes a group', field({ pattern: 'a)|(b' }), 'fields[0].pattern'],
  ['a pattern that is not linear', field({ pattern: '(a)\\1' }), 'fields[0].pattern'],
  ['a pattern for a file', field({ kind: 'file', pattern: 'a' }), 'fields[0].pattern'],
  ['too many characters', { fields: LARGE }, 'fields'],
])('%s is refused', async (_, settings, expected) => {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId });
  const { status, body } = await createForm(user, workflowId, settings);
  expect([status, body.error?.details.map((one) => one.field)]).toEqual([400, [expected]]);
});

test('another workspace has no access, and its forms stay as they are', async () => {
  const mine = await buildForm();
  const theirs = await buildForm();
  const { token } = mine.user;
  for (const workflowId of [theirs.workflowId, mine.workflowId]) {
    const at = `/api/workflows/${workflowId}/forms/${theirs.form.id}`;
    expect((await call('GET', at, { token })).status).toBe(404);
    expect((await call('PUT', at, { token, body: { title: 'Mine' } })).status).toBe(404);
    expect((await call('DELETE', at, { token })).status).toBe(404);
  }
  expect((await createForm(mine.user, theirs.workflowId, { path: 'x' })).status).toBe(404);
  expect(await prismaClient().form.findMany({ where: { workflowId: theirs.workflowId } })).toMatchObject([
    { title: 'Ask' },
  ]);
});

test('editors write forms; a form needs the permission to run the workflow', async () => {
  const { user, workflowId, form } = await buildForm();
  const { workspaceId } = user;
  const viewer = await buildUser({ workspaceId, role: 'viewer' });
  expect((await call('GET', `/api/workflows/${workflowId}/forms`, { token: viewer.token })).status).toBe(200);
  expect((await createForm(viewer, workflowId, { path: 'x' })).status).toBe(403);
  expect((await createForm(await buildUser({ workspaceId, role: 'editor' }), workflowId, { path: 'x' })).status).toBe(
    201,
  );
  const permissions = [{ resource: 'form', action: '*' }];
  const role = { name: 'Form writer', permissions };
  const { id } = (await call<{ id: string }>('POST', '/api/roles', { token: user.token, body: role })).body;
  expect(id).toBeDefined();
  const assign = { userId: viewer.id, roleId: id };
  await call('POST', '/auth/rbac', { token: user.token, body: assign });
  const refused = await call<Refused>('POST', `/api/workflows/${workflowId}/forms`, {
    token: viewer.token,
    body: { path: 'y', title: 'Y', fields: [], access: 'public', response: { mode: 'message', message: 'x' } },
  });
  expect([refused.status, refused.body.error.message]).toEqual([403, 'This needs the permission workflow:execute.']);
  expect((await call('DELETE', `/api/workflows/${workflowId}/forms/${form.id}`, { token: viewer.token })).status).toBe(
    204,
  );
});

test('a workflow has at most a hundred forms', async () => {
  const { user, workflowId } = await buildForm();
  const rest = { workflowId, title: '', fields: [], access: 'public', response: {} };
  await prismaClient().form.createMany({
    data: Array.from({ length: 99 }, (_, n) => ({ ...rest, id: `form_${n}`, path: `p${n}` })),
  });
  const { status, body } = await createForm(user, workflowId, { path: 'more' });
  expect([status, body.error.message]).toEqual([403, 'The limit of 100 forms of a workflow is reached.']);
});
