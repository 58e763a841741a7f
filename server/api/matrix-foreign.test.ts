import { beforeAll, describe, expect, test } from 'vitest';
import { ErrorBody } from '@/contract/error';
import type { Delivery } from '@/contract/webhook';
import { pool } from '../db/client';
import { operations } from '../operations';
import { buildUser, buildWorkflow, call, type TestUser } from '../testing/factories';
import { useDatabase } from '../testing/database';
import { deliver, register } from '../testing/hooks';
import type { Operation } from './operation';
import { openApi } from './openapi';

useDatabase();

type Described = { requestBody?: { content: Record<string, { example?: unknown }> } };

let me: TestUser;
/** What is in the workspaces of each, by the word that its address begins with. */
let mine: Record<string, Record<string, string>>;
let theirs: Record<string, Record<string, string>>;

beforeAll(async () => {
  me = await buildUser();
  mine = await furnish(me);
  theirs = await furnish(await buildUser());
});

/** A body that the operation takes, as its description shows it. */
const exampleOf = ({ path, method }: Operation) =>
  (openApi().paths[path]![method.toLowerCase()] as Described).requestBody?.content['application/json']?.example;

/** One of everything. */
async function furnish(user: TestUser): Promise<Record<string, Record<string, string>>> {
  const { token, workspaceId, id: userId, sessionId } = user;
  const workflow = await buildWorkflow({ workspaceId });
  const hook = (await register(user, workflow, 'in')).body;
  const { executionId } = (await deliver(hook, '{}')).body;
  const at = `/api/workflows/${workflow}`;
  const [delivery] = (await call<{ data: Delivery[] }>('GET', `${at}/webhooks/${hook.id}/deliveries`, { token })).body
    .data;
  const made = async (path: string, address = path) => {
    const operation = (operations as Operation[]).find((one) => one.path === path && one.method === 'POST')!;
    const answer = await call<{ id: string }>('POST', address, { token, body: exampleOf(operation) });
    expect(answer.status, path + JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  const schedule = await made('/api/workflows/{id}/schedules', `${at}/schedules`);
  return {
    workflows: { id: workflow, webhookId: hook.id, deliveryId: delivery!.id, scheduleId: schedule, version: '1' },
    executions: { id: executionId },
    credentials: { id: await made('/api/credentials') },
    roles: { id: await made('/api/roles') },
    'api-keys': { id: await made('/auth/api_keys') },
    'sso-providers': { id: await made('/api/sso-providers') },
    workspaces: { id: workspaceId, userId },
    sessions: { id: sessionId },
  };
}

const PARAMETER = /\{(\w+)\}/g;
/** A connector's id is the same for everybody. */
const isShared = ({ path }: Operation) => path.startsWith('/api/connectors/');
const addressed = (operations as Operation[]).filter(
  (operation) => operation.access !== 'signature' && /\{/.test(operation.path) && !isShared(operation),
);

const idsAt = (of: typeof mine, { path }: Operation) => of[path.split('/')[2] ?? ''] ?? {};

const fill = ({ path }: Operation, ids: Record<string, string>) =>
  path.replace(PARAMETER, (_, name: string) => ids[name] ?? expect.unreachable(`${path} has no ${name} here`));

const TABLES = ['workflow', 'workflow_version', 'webhook', 'webhook_delivery', 'schedule', 'execution', 'credential'];
const MORE = ['role', 'api_key', 'sso_provider', 'member', 'role_assignment', 'session', 'workspace', 'app_user'];

async function everything(): Promise<string[]> {
  const rows = await Promise.all(
    [...TABLES, ...MORE].map((table) => pool().query(`SELECT t::text FROM ${table} t ORDER BY 1`)),
  );
  return rows.map((result) => JSON.stringify(result.rows));
}

describe.each(addressed.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const expectNothingThere = async (address: string) => {
    const before = await everything();
    const { status, body } = await call(operation.method, address, { token: me.token, body: exampleOf(operation) });
    expect(status, `${address} ${JSON.stringify(body)}`).toBe(404);
    expect(ErrorBody.parse(body).error.code).toBe('NOT_FOUND');
    expect(await everything()).toEqual(before);
  };

  test('with the ids of another workspace: 404, and nothing happens', async () =>
    expectNothingThere(fill(operation, idsAt(theirs, operation))));

  test('with such an id inside something of one’s own: 404, and nothing happens', async () => {
    const names = [...operation.path.matchAll(PARAMETER)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'version');
    const last = names.at(-1)!;
    const ids = { ...idsAt(mine, operation), [last]: idsAt(theirs, operation)[last]! };
    await expectNothingThere(fill(operation, ids));
  });
});
