import { readdirSync, readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { verifyAuditChain } from '@/server/people/audit/verify';
import { sealAllEntries } from '@/server/people/audit/chain';
import { openCredentialSecrets } from '@/server/connectors/secrets';
import { databasePool } from '@/server/platform/db/client';
import { openSealedText } from '@/server/platform/db/seal';
import { SEALED_COLUMNS } from '@/server/platform/db/rotate';
import { startWorker } from '@/server/engine/worker';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call, join, tokenFor, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { createFixtures } from '@/server/testing/fixtures';
import { register } from '@/server/testing/hooks';
import { startRun, storeWorkflow, testKinds, type StartedRun } from '@/server/testing/runs';
import { quoteSqlName } from '../catalogue';
import { EXPORTED_TABLES } from './content';
import { exportWorkspace, type ExportRequest, type ExportSource } from './export';
import { importInto, on, PASSPHRASE, servedBy, source, transferRig, type Target } from './testing/rig';

useDatabase();

const rig = transferRig();
const SECRET = 'secret-canary-1234567890';
let [owner, neighbour]: TestUser[] = [];
let ids: Record<string, Record<string, string>>;
let waiting: StartedRun;
let credentialId: string;
let draftHook: string;
let file: string;

/** A run that a worker has taken up to its approval. */
async function waitingRun(workspaceId: string): Promise<StartedRun> {
  const nodes = {
    s: { type: 'start' },
    ask: { type: 'approval' },
    z: { type: 'transform', config: { fields: { late: '{{ nodes.s.n + 1 }}' } } },
  };
  return startRun(await storeWorkflow(flow(nodes, ['s>ask', 'ask:approved>z']), workspaceId), { n: 41 });
}

const decide = (token: string) =>
  call('POST', `/api/executions/${waiting.executionId}/resume`, {
    token,
    body: { nodeId: 'ask', decision: 'approved' },
  });

const worker = () => startWorker({ concurrency: 5, kinds: testKinds(async () => null).kinds, graceMs: 200 });

beforeAll(async () => {
  [owner, neighbour] = [await buildUser(), await buildUser()];
  ids = await createFixtures(owner!);
  const { token, workspaceId } = owner!;
  await startRun(await storeWorkflow(flow({ s: { type: 'start' } }), neighbour!.workspaceId));
  await join(neighbour!.id, workspaceId, 'viewer');
  const body = { name: 'Shop', type: 'api_key', config: { apiKey: SECRET } };
  await call('POST', '/api/credentials', { token: neighbour!.token, body });
  credentialId = (await call<{ id: string }>('POST', '/api/credentials', { token, body })).body.id;
  const note = { $file: ids.files!.id };
  const schema = {
    name: 'Notes',
    columns: [
      { name: 'note', type: 'json' },
      { name: 'text', type: 'text' },
    ],
  };
  const table = (await call<{ id: string }>('POST', '/api/tables', { token, body: schema })).body.id;
  const rows = [{ note, text: 'tab\there \\N and\nmore' }, { text: null }];
  await call('POST', `/api/tables/${table}/rows`, { token, body: { rows } });
  await databasePool().query(
    `WITH list AS (INSERT INTO remembered (workspace_id, scope_id, key, is_list) VALUES ($1, $1, 'seen', true) RETURNING id)
     INSERT INTO remembered_item (list_id, item) SELECT id, 'hash' FROM list`,
    [workspaceId],
  );
  waiting = await waitingRun(workspaceId);
  const running = await worker();
  try {
    await waiting.reach('paused');
  } finally {
    await running.stop();
  }
  await databasePool().query(`UPDATE workflow SET status = 'active' WHERE id = $1`, [ids.workflows!.id]);
  draftHook = (await register(owner!, waiting.workflowId, 'of-a-draft')).body.id;
  file = await rig.export(workspaceId);
});

/** The rows of the workspace in all exported tables, without what an import decides. */
const contentOf = (url: string, keys: readonly string[]) =>
  on(url, async (client) => {
    const content: Record<string, unknown[]> = {};
    for (const [table, { rows, without = [], numbered }] of Object.entries(EXPORTED_TABLES)) {
      const condition = rows.replaceAll('$ws', `'${owner!.workspaceId}'`);
      const found = await client.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${quoteSqlName(table)} t WHERE ${condition}`,
      );
      const skipped = [...without, ...(numbered ? [numbered] : []), ...(DECIDED[table] ?? [])];
      const kept = found.rows.map(({ row }) => {
        for (const { column, boundTo } of SEALED_COLUMNS.filter((one) => one.table === table)) {
          const at = `${/'([\w-]+:)'/.exec(boundTo)?.[1]}${boundTo.includes('connector') ? '' : String(row.id)}`;
          if (typeof row[column] === 'string') row[column] = openSealedText(row[column], at, [...keys]);
        }
        return JSON.stringify(Object.entries(row).filter(([name]) => !skipped.includes(name)));
      });
      content[table] = kept.toSorted();
    }
    for (const { id } of (await client.query('SELECT id FROM data_table ORDER BY id')).rows)
      if (content.data_table!.some((row) => String(row).includes(id)))
        content[id] = (await client.query(`SELECT * FROM ${quoteSqlName(id)} ORDER BY n`)).rows;
    return content;
  });

const DECIDED: Record<string, string[]> = {
  workspace: ['tier'],
  execution: ['available_at', 'worker_id', 'queued_at'],
  remembered: ['id'],
  remembered_item: ['list_id'],
  workflow: ['status'],
};

it('an imported workspace equals the original: rows, secrets, tables, files; runs go on if activated', async () => {
  const to = await rig.target();
  const { people, files, lostFiles } = await importInto(to, file, { isActive: true });
  expect(people.created.toSorted()).toEqual([owner!.email, neighbour!.email].toSorted());
  expect([people.matched, people.leftOut, files, lostFiles]).toEqual([[], [], 1, []]);
  const [before, after] = [await contentOf(source().url, source().keys), await contentOf(to.url, to.keys)];
  expect(after).toEqual(before);
  const filled = Object.keys(before).filter((table) => before[table]!.length > 0);
  for (const table of [
    'execution',
    'remembered_item',
    'credential',
    'alert',
    'poll',
    'webhook_delivery',
    'execution_tally',
  ])
    expect(filled).toContain(table);
  await servedBy(to, async () => {
    const { rows } = await databasePool().query('SELECT sealed FROM credential WHERE id = $1', [credentialId]);
    expect(openCredentialSecrets(credentialId, rows[0].sealed)).toEqual({ apiKey: SECRET });
    const { rows: uses } = await databasePool().query('SELECT DISTINCT file_id FROM row_file_use');
    expect(uses).toEqual([{ file_id: ids.files!.id }]);
    const { rows: states } = await databasePool().query(
      `SELECT w.tier, y.bytes::int, (SELECT status FROM workflow WHERE id = $1) AS status,
         (SELECT sum(rows)::int FROM data_table_tally) AS rows, (SELECT count(*)::int FROM file_check) AS checks
       FROM workspace w JOIN file_tally y ON y.workspace_id = w.id`,
      [ids.workflows!.id],
    );
    expect(states).toEqual([{ tier: 'starter', bytes: 4, status: 'active', rows: 3, checks: 1 }]);

    const { token } = await tokenFor(owner!.id, owner!.workspaceId);
    const downloaded = await call('GET', `/api/files/${ids.files!.id}`, { token });
    expect([downloaded.status, downloaded.body]).toEqual([200, 'text']);
    const inserted = await call('POST', `/api/tables/${ids.tables!.id}/rows`, {
      token,
      body: { rows: [{ email: 'grace@example.com' }] },
    });
    expect(inserted.status).toBe(201);
    const running = await worker();
    try {
      expect((await decide(token)).status).toBe(200);
      expect(await waiting.finish()).toMatchObject({ status: 'completed', output: { late: 42 } });
    } finally {
      await running.stop();
    }
    await sealAllEntries();
    expect(await verifyAuditChain(owner!.workspaceId)).toMatchObject({ valid: true });
    const { rows: log } = await databasePool().query(
      `SELECT actor->>'type' AS actor FROM audit_entry WHERE action = 'workspace.import' AND workspace_id = $1`,
      [owner!.workspaceId],
    );
    expect(log).toEqual([{ actor: 'system' }]);
  });
  expect((await waiting.read()).status).toBe('paused');
});

it('the file has nothing of other workspaces and no secret, and belongs to its owner; the source has an entry in its log', async () => {
  const text = gunzipSync(readFileSync(file)).toString('latin1');
  const { encryptionKeys, jwtSecret } = getRuntime().env;
  const { rows } = await databasePool().query<{ text: string }>(
    `SELECT unnest(ARRAY[w.id, w.slug, f.id, e.id, c.id, c.sealed]) AS text FROM workspace w JOIN workflow f ON f.workspace_id = w.id
     JOIN execution e ON e.workflow_id = f.id JOIN credential c ON c.workspace_id = w.id WHERE w.id = $1`,
    [neighbour!.workspaceId],
  );
  expect(rows).toHaveLength(6);
  const { rows: hashes } = await databasePool().query<{ text: string }>('SELECT password_hash AS text FROM app_user');
  const { rows: keys } = await databasePool().query<{ text: string }>('SELECT hash AS text FROM api_key');
  const { rows: sealed } = await databasePool().query<{ text: string }>('SELECT sealed AS text FROM credential');
  for (const one of [...rows, ...hashes, ...keys, ...sealed]) expect(text.includes(one.text)).toBe(false);
  for (const one of [SECRET, jwtSecret, ...encryptionKeys]) expect(text.includes(one)).toBe(false);
  expect(text).toContain(owner!.workspaceId);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { rows: log } = await databasePool().query(
    `SELECT DISTINCT workspace_id FROM audit_entry WHERE action = 'workspace.export'`,
  );
  expect(log).toEqual([{ workspace_id: owner!.workspaceId }]);
});

/** What decides whether anything happens by itself. */
const activityOf = (to: Target) =>
  on(to.url, async (client) => ({
    workflows: (await client.query('SELECT DISTINCT status FROM workflow ORDER BY 1')).rows.map(({ status }) => status),
    isRunDue: (
      await client.query(
        'SELECT bool_or(available_at IS NOT NULL OR queued_at IS NOT NULL OR worker_id IS NOT NULL) AS is FROM execution',
      )
    ).rows[0].is,
  }));

it('without --activate workflows are paused, webhooks of drafts are off and runs rest until somebody decides', async () => {
  const to = await rig.target();
  await importInto(to, file, { slug: 'elsewhere' });
  expect(await activityOf(to)).toEqual({ workflows: ['draft', 'paused'], isRunDue: false });
  await servedBy(to, async () => {
    const { rows } = await databasePool().query(
      'SELECT slug, (SELECT id FROM webhook WHERE NOT enabled) AS off FROM workspace',
    );
    expect(rows).toEqual([{ slug: 'elsewhere', off: draftHook }]);
    const { token } = await tokenFor(owner!.id, owner!.workspaceId);
    const running = await worker();
    try {
      expect((await decide(token)).status).toBe(200);
      expect(await waiting.finish()).toMatchObject({ status: 'completed', output: { late: 42 } });
    } finally {
      await running.stop();
    }
  });
});

it('without runs it has the workflows, tables and the files that rows name', async () => {
  const to = await rig.target();
  const small = await rig.export(owner!.workspaceId, { hasRuns: false });
  const { files } = await importInto(to, small);
  expect(files).toBe(1);
  const left = await on(to.url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM execution) AS runs, (SELECT count(*)::int FROM node_result) AS results,
         (SELECT count(*)::int FROM workflow) AS workflows, (SELECT count(*)::int FROM execution_tally) AS tallies`,
    );
    return rows[0];
  });
  expect(left).toEqual({ runs: 0, results: 0, workflows: 2, tallies: 0 });
});

it('an export refuses a workspace that is not there, a short passphrase, another key and a file that exists', async () => {
  const wanted = { workspace: owner!.workspaceId, passphrase: PASSPHRASE, hasRuns: true, cost: 4096 } as const;
  const refused = (request: Partial<ExportRequest>, to = rig.fresh('never'), from: Partial<ExportSource> = {}) =>
    exportWorkspace(to, { ...wanted, ...request }, { ...source(), ...from });
  await expect(refused({ workspace: 'nowhere' })).rejects.toThrow('no workspace with the id or slug nowhere');
  await expect(refused({ passphrase: 'short' })).rejects.toThrow('12 characters');
  await expect(refused({}, file)).rejects.toThrow('exists already');
  const keys = ['a key that sealed none of the secrets of this database'];
  const place = rig.fresh('never');
  await expect(refused({}, place, { keys })).rejects.toThrow('sealed under a key that ENCRYPTION_KEY does not have');
  expect(readdirSync(rig.folder).filter((name) => name.startsWith('never'))).toEqual([]);
});
