import { beforeAll, describe, expect, test } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type Refused, type TestUser } from '@/server/testing/factories';
import { deliver, register } from '@/server/testing/hooks';

useDatabase();

interface List {
  data: { id: string }[];
  total: number;
  nextCursor: string | null;
}

let owner: TestUser;
let addresses: Record<string, string>;
beforeAll(async () => {
  owner = await buildUser();
  const ids = await Promise.all(Array.from({ length: 5 }, () => buildWorkflow(owner)));
  const hook = (await register(owner, ids[0]!, 'in')).body;
  for (const n of [1, 2, 3, 4, 5]) await deliver(hook, `{"n": ${n}}`);
  // Rows of one moment are told apart by their ids.
  await databasePool().query(`UPDATE execution SET created_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1`, [
    owner.workspaceId,
  ]);
  await databasePool().query(`UPDATE workflow SET created_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1`, [
    owner.workspaceId,
  ]);
  addresses = {
    executions: '/api/executions',
    workflows: '/api/workflows',
    audit: '/auth/audit',
    deliveries: `/api/workflows/${ids[0]}/webhooks/${hook.id}/deliveries`,
  };
});

const page = async (path: string, query: string, { token } = owner) =>
  (await call<List & Refused>('GET', `${path}?${query}`, { token })).body;

describe.each(['executions', 'workflows', 'audit', 'deliveries'])('the list of %s', (name) => {
  test('is read completely by cursors, in the order of the list', async () => {
    const path = addresses[name]!;
    const whole = await page(path, 'limit=100');
    expect(whole.total).toBeGreaterThanOrEqual(5);
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: List = await page(path, `limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...next.data.map(({ id }) => id));
      expect(next.total).toBe(whole.total);
      cursor = next.nextCursor;
    }
    expect(found).toEqual(whole.data.map(({ id }) => id));
  });

  test('refuses what is no cursor, and an offset beside one', async () => {
    const path = addresses[name]!;
    const { nextCursor } = await page(path, 'limit=2');
    const refused = async (query: string) => (await page(path, query)).error.details.map(({ field }) => field);
    for (const bad of [
      'x',
      '%00',
      Buffer.from('1 ').toString('base64url'),
      Buffer.from(`1 ${"';--"}`).toString('base64url'),
    ])
      expect(await refused(`cursor=${bad}`)).toEqual(['cursor']);
    expect(await refused(`cursor=${nextCursor}&offset=2`)).toEqual(['offset']);
  });

  test('shows nothing of another workspace, whose cursor is a position only', async () => {
    const path = addresses[name]!;
    const [whole, { nextCursor }] = [await page(path, 'limit=100'), await page(path, 'limit=2')];
    const stranger = await buildUser();
    const seen = await page(path, `limit=100&cursor=${nextCursor}`, stranger);
    if (name === 'deliveries') return expect(seen.error.code).toBe('NOT_FOUND');
    const ids = new Set(whole.data.map(({ id }) => id));
    expect(seen.data.filter(({ id }) => ids.has(id))).toEqual([]);
  });
});

test('an object that is added while pages are read moves none of the others', async () => {
  const first = await page('/api/workflows', 'limit=3');
  const added = await buildWorkflow(owner);
  const rest = await page('/api/workflows', `cursor=${first.nextCursor}&limit=100`);
  const ids = [...first.data, ...rest.data].map(({ id }) => id);
  expect(ids).not.toContain(added);
  expect(new Set(ids).size).toBe(
    await prismaClient().workflow.count({ where: { workspaceId: owner.workspaceId, id: { not: added } } }),
  );
});
