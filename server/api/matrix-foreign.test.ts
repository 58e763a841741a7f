import { beforeAll, describe, expect, test } from 'vitest';
import { ErrorBody } from '@/contract/error';
import { pool } from '../db/client';
import { operations } from '../operations';
import { buildUser, call, type TestUser } from '../testing/factories';
import { useDatabase } from '../testing/database';
import { exampleBody, filled, furnish } from '../testing/furnish';
import type { Operation } from './operation';

useDatabase();

let me: TestUser;
/** What is in the workspaces of each, by the word that its address begins with. */
let mine: Record<string, Record<string, string>>;
let theirs: Record<string, Record<string, string>>;

beforeAll(async () => {
  me = await buildUser();
  mine = await furnish(me);
  theirs = await furnish(await buildUser());
});

const PARAMETER = /\{(\w+)\}/g;
/** A connector's id is the same for everybody. */
const isShared = ({ path }: Operation) => path.startsWith('/api/connectors/');
const addressed = (operations as Operation[]).filter(
  (operation) => operation.access !== 'signature' && /\{/.test(operation.path) && !isShared(operation),
);

const idsAt = (of: typeof mine, { path }: Operation) => of[path.split('/')[2] ?? ''] ?? {};

/** What has its name only within something: every workflow has a version 1. */
const INNER = ['version', 'nodeId'];

const TABLES = ['workflow', 'workflow_version', 'webhook', 'webhook_delivery', 'schedule', 'execution', 'credential'];
const MORE = ['role', 'api_key', 'sso_provider', 'member', 'role_assignment', 'session', 'workspace', 'app_user'];

async function everything(): Promise<string[]> {
  const rows = await Promise.all(
    // That a session is used is written down by any call.
    [...TABLES, ...MORE].map((table) =>
      pool().query(`SELECT (to_jsonb(t) - 'last_used_at')::text FROM ${table} t ORDER BY 1`),
    ),
  );
  return rows.map((result) => JSON.stringify(result.rows));
}

describe.each(addressed.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const expectNothingThere = async (address: string) => {
    const before = await everything();
    const { status, body } = await call(operation.method, address, { token: me.token, body: exampleBody(operation) });
    expect(status, `${address} ${JSON.stringify(body)}`).toBe(404);
    expect(ErrorBody.parse(body).error.code).toBe('NOT_FOUND');
    expect(await everything()).toEqual(before);
  };

  test('with the ids of another workspace: 404, and nothing happens', async () =>
    expectNothingThere(filled(operation, theirs)));

  test('with such an id inside something of one’s own: 404, and nothing happens', async () => {
    const names = [...operation.path.matchAll(PARAMETER)]
      .map(([, name = '']) => name)
      .filter((name) => !INNER.includes(name));
    const last = names.at(-1)!;
    const ids = { ...idsAt(mine, operation), [last]: idsAt(theirs, operation)[last]! };
    await expectNothingThere(filled(operation, { [operation.path.split('/')[2]!]: ids }));
  });
});
