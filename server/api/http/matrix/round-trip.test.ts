import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationRecord } from '@/server/api/operation/operation';
import { jsonReplyIn } from '@/server/api/operation/operation-parts';
import { operationTable } from '@/server/api/operations';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, unique, type Refused, type TestUser } from '@/server/testing/factories';
import { filled, createFixtures } from '@/server/testing/fixtures';

useDatabase();

const all = operationTable as OperationRecord[];
const reading = (path: string) =>
  all.find((one) => one.method === 'GET' && one.path === path && one.access.kind !== 'public');
/**
 * These answer with something else than what GET returns at their address, or take a document: a list, a state, a
 * secret that it has not.
 */
const OTHERS = ['invalidDrafts.save', 'mfa.verify', 'connectors.register', 'connectors.update'];
/** Operations that change an object which can be read at the same address. */
const changes = all.filter(
  ({ id, method, path, body }) => method === 'PUT' && body?.kind === 'json' && reading(path) && !OTHERS.includes(id),
);
/** These need a secret or a document, which is not read, or take several objects. */
const OTHER_CREATIONS = ['credentials.create', 'ssoProviders.create', 'rows.insert', 'connectors.create'];
/** Operations that create an object which can be read at an address below. */
const creations = all.flatMap((operation) => {
  const { id, method, path, body } = operation;
  const status = jsonReplyIn(operation)?.status;
  const one = all.find(
    (other) => other.method === 'GET' && other.path.replace(/\/\{\w+\}$/, '') === path && other.path !== path,
  );
  return method === 'POST' && status === 201 && body?.kind === 'json' && one && !OTHER_CREATIONS.includes(id)
    ? [{ operation, one }]
    : [];
});

let owner: TestUser;
let ids: Record<string, Record<string, string>>;
beforeAll(async () => {
  owner = await buildUser();
  ids = await createFixtures(owner);
});

const shown = async (path: string) => {
  const { status, body } = await call<Record<string, unknown>>('GET', path, owner);
  expect(status, path).toBe(200);
  return body;
};
/** Without what each change sets. */
const stable = ({ updatedAt: _at, version: _version, nextPollAt: _next, ...rest }: Record<string, unknown>) => rest;

describe('an object that was read', () => {
  test.each(changes.map((operation) => [operation.id, operation] as const))(
    '%s takes it back, by PUT and PATCH',
    async (_, operation) => {
      const path = filled(operation, ids);
      for (const method of [operation.method, ...(operation.otherMethods ?? [])]) {
        const before = await shown(path);
        const changed = await call<Refused>(method, path, { token: owner.token, body: before });
        expect(changed.status, JSON.stringify(changed.body)).toBe(200);
        expect(stable(await shown(path))).toEqual(stable(before));
      }
    },
  );

  test.each(creations.map(({ operation, one }) => [operation.id, operation, one] as const))(
    '%s takes it, under another name',
    async (_, operation, one) => {
      const before = await shown(filled(one, ids));
      const names = { name: unique('Copy'), path: unique('copy') };
      const other = Object.fromEntries(Object.entries(names).filter(([field]) => typeof before[field] === 'string'));
      if (operation.id === 'variables.create') other['name'] = 'COPY';
      const body = { ...before, ...other };
      const made = await call<Refused & { id?: string }>('POST', filled(operation, ids), { token: owner.token, body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      expect(made.body).toMatchObject(other);
      expect(await shown(made.headers.get('location') ?? '')).toMatchObject(other);
      if (before['id']) expect(made.body.id).not.toBe(before['id']);
    },
  );

  test('one read-only field alone is refused by its name', async () => {
    const path = `/api/workflows/${ids['workflows']?.['id']}`;
    for (const [field, value] of Object.entries({
      id: 'wf_other',
      createdAt: '2020-01-01T00:00:00Z',
      workspaceId: 'ws_x',
    })) {
      const { status, body } = await call<Refused>('PUT', path, { token: owner.token, body: { [field]: value } });
      expect([status, body.error.details[0]?.field]).toEqual([400, field]);
    }
  });

  test('read-only fields of a whole object are ignored, whatever they say', async () => {
    const path = `/api/workflows/${ids['workflows']?.['id']}`;
    const before = await shown(path);
    const stranger = await buildUser();
    const body = {
      ...before,
      id: 'wf_other',
      workspaceId: stranger.workspaceId,
      createdBy: stranger.id,
      name: 'Renamed',
    };
    const changed = await call<Record<string, unknown>>('PUT', path, { token: owner.token, body });
    expect(changed.body).toMatchObject({ id: before['id'], workspaceId: owner.workspaceId, name: 'Renamed' });
    expect(changed.body['createdBy']).toBe(before['createdBy']);
    // What is neither read nor written stays refused.
    const odd = await call<Refused>('PUT', path, { token: owner.token, body: { ...before, colour: 'red' } });
    expect([odd.status, odd.body.error.details.map(({ field }) => field)]).toEqual([400, ['colour']]);
  });
});
