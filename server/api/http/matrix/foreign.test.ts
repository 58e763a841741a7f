import { beforeAll, expect, test } from 'vitest';
import { ErrorResponse } from '@/contract/error-response';
import { databasePool } from '@/server/platform/db/client';
import { operationTable } from '@/server/api/operations';
import { buildUser, call, type TestUser } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { exampleBody, filled, createFixtures } from '@/server/testing/fixtures';
import { isOpenAccess, type OperationRecord } from '@/server/api/operation/operation';

useDatabase();

let me: TestUser;
/** The objects of each workspace, by the first word of their address. */
let mine: Record<string, Record<string, string>>;
let theirs: Record<string, Record<string, string>>;

beforeAll(async () => {
  me = await buildUser();
  mine = await createFixtures(me);
  theirs = await createFixtures(await buildUser());
});

const PARAMETER = /\{(\w+)\}/g;
/** The ids of templates and of types of nodes are equal in all workspaces, and the names of saved filters are each person's own. */
const isShared = ({ path }: OperationRecord) => /^\/api\/(?:templates|node-types|saved-filters)\//.test(path);
/** Anyone with such an address may call it. It names no object by its id. */
const isOpen = ({ access }: OperationRecord) => isOpenAccess(access);
const addressed = (operationTable as OperationRecord[]).filter(
  (operation) => !isOpen(operation) && /\{/.test(operation.path) && !isShared(operation),
);

const idsAt = (of: typeof mine, { path }: OperationRecord) => of[path.split('/')[2] ?? ''] ?? {};

/** Ids that are unique only within another object: every workflow has a version 1. */
const INNER = ['version', 'nodeId'];

const TABLES = [
  'workflow',
  'workflow_version',
  'webhook',
  'webhook_delivery',
  'form',
  'chat',
  'schedule',
  'poll',
  'execution',
  'credential',
  'connector',
  'connector_operation',
  'folder',
  'alert',
  'variable',
  'data_table',
];
const MORE = ['role', 'api_key', 'sso_provider', 'member', 'role_assignment', 'session', 'workspace', 'app_user'];

/** A hash of all rows of each table. */
const CONTENT = [...TABLES, ...MORE]
  .map(
    // Every call stores the last use of its session.
    (table) => `SELECT '${table}' AS name, md5(string_agg(row, E'\\n' ORDER BY row)) AS rows
      FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${table} t) r`,
  )
  .join(' UNION ALL ');

const everything = async () => (await databasePool().query({ name: 'test-content', text: CONTENT })).rows;

/**
 * The addresses of an operation with ids of the other workspace: in its path alone, and as the last one inside an own
 * object.
 */
function foreignAddresses(operation: OperationRecord): Set<string> {
  const names = [...operation.path.matchAll(PARAMETER)]
    .map(([, name = '']) => name)
    .filter((name) => !INNER.includes(name));
  const last = names.at(-1)!;
  const ids = { ...idsAt(mine, operation), [last]: idsAt(theirs, operation)[last]! };
  return new Set([filled(operation, theirs), filled(operation, { [operation.path.split('/')[2]!]: ids })]);
}

test.each(addressed.map((operation) => [operation.id, operation] as const))(
  '%s with ids of another workspace: 404, and no change',
  async (_, operation) => {
    const before = await everything();
    for (const address of foreignAddresses(operation)) {
      const { status, body } = await call(operation.method, address, { token: me.token, body: exampleBody(operation) });
      expect(status, `${address} ${JSON.stringify(body)}`).toBe(404);
      expect(ErrorResponse.parse(body).error.code).toBe('NOT_FOUND');
    }
    expect(await everything()).toEqual(before);
  },
);
