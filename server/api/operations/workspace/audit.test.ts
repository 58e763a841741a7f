import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { AuditEntryResponse, AuditChainCheck } from '@/contract/audit';
import { sealAllEntries, sealEntriesUncontended } from '@/server/people/audit/chain';
import { verifyAuditChain } from '@/server/people/audit/verify';
import { pruneAuditEntries, resealAuditChains } from '@/server/people/audit/retention';
import { appendAuditEntries } from '@/server/people/audit/record';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateOrderedId } from '@/server/platform/db/ids';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { routeWebRequest } from '@/server/api/http/routes';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkspace, call, type TestUser } from '@/server/testing/factories';

useDatabase();

const entry = (workspaceId: string | null, more: object = {}) => ({
  id: generateOrderedId('aud'),
  workspaceId,
  category: 'configuration_change' as const,
  action: 'workflows.create',
  result: 'success' as const,
  actor: { type: 'user', id: 'usr_1', email: 'a@example.com' },
  resource: { type: 'workflow', id: 'wf_1' },
  metadata: { ipAddress: '192.0.2.1', userAgent: 'test', requestId: 'req_1' },
  ...more,
});

/** A workspace with a chain of five entries, and SQL that bypasses the guard of the table, like an intruder. */
async function chainOfFive() {
  const id = await buildWorkspace();
  const rows = Array.from({ length: 5 }, () => entry(id));
  for (const row of rows) await appendAuditEntries(prismaClient(), [row]);
  await sealAllEntries();
  return { id, rows };
}
async function tamper(sql: string, values: unknown[]): Promise<void> {
  const client = await databasePool().connect();
  try {
    for (const table of ['audit_entry', 'audit_block']) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    expect((await client.query(sql, values)).rowCount).toBeGreaterThan(0);
  } finally {
    for (const table of ['audit_entry', 'audit_block']) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    client.release();
  }
}

test('an untouched chain is intact, and grows', async () => {
  const { id } = await chainOfFive();
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 5, firstBroken: null });
  await appendAuditEntries(prismaClient(), [entry(id)]);
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 6, head: { position: 6 } });
});

test('the hash can be computed independently: JSON of the predecessor’s hash, chain, position and columns', async () => {
  const id = await buildWorkspace();
  const nasty = 'a "quote", a \\ and a \n line, \u0001 \u007f \u2028 ü 🧵 </script>';
  await appendAuditEntries(prismaClient(), [
    entry(id, { action: nasty, actor: { id: nasty }, metadata: { [nasty]: [1e21, null, nasty] } }),
  ]);
  await appendAuditEntries(prismaClient(), [entry(id)]);
  await sealAllEntries();
  const { rows } = await databasePool().query(
    `SELECT id, sequence, timestamp, category, action, result, actor::text, resource::text, metadata::text,
       encode(substr(hashes, 32 * array_position(sequences, sequence) - 31, 32), 'hex') AS hash
     FROM audit_entry JOIN audit_block ON sequence = ANY(sequences) WHERE workspace_id = $1 ORDER BY sequence`,
    [id],
  );
  let previous = '';
  for (const [index, { hash, timestamp, ...row }] of rows.entries()) {
    const columns = [row.id, row.sequence, timestamp.toISOString(), row.category, row.action, row.result];
    const said = [previous, id, String(index + 1), ...columns, row.actor, row.resource, row.metadata];
    previous = createHash('sha256').update(JSON.stringify(said)).digest('hex');
    expect(hash).toBe(previous);
  }
  expect(rows).toHaveLength(2);
});

test('a changed, removed or swapped entry and a truncated end are detected, with the position', async () => {
  const changed = await chainOfFive();
  await tamper(`UPDATE audit_entry SET actor = '{"type":"user","id":"usr_other","email":null}' WHERE id = $1`, [
    changed.rows[2]?.id,
  ]);
  expect(await verifyAuditChain(changed.id)).toMatchObject({ valid: false, firstBroken: changed.rows[2]?.id });

  const removed = await chainOfFive();
  await tamper('DELETE FROM audit_entry WHERE id = $1', [removed.rows[2]?.id]);
  expect(await verifyAuditChain(removed.id)).toMatchObject({ valid: false, firstBroken: removed.rows[3]?.id });

  const swapped = await chainOfFive();
  await tamper(
    'UPDATE audit_block SET sequences = sequences[1:1] || sequences[3:3] || sequences[2:2] || sequences[4:5] WHERE chain = $1',
    [swapped.id],
  );
  expect(await verifyAuditChain(swapped.id)).toMatchObject({ valid: false, firstBroken: swapped.rows[2]?.id });

  const strayed = await chainOfFive();
  const stray = entry(strayed.id);
  await tamper(
    `INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
     VALUES ($1, $2, 'authorization', 'none', 'success', '{}', '{}', '{}')`,
    [stray.id, strayed.id],
  );
  expect(await verifyAuditChain(strayed.id)).toMatchObject({ valid: false, firstBroken: stray.id });
  await tamper('DELETE FROM audit_entry WHERE id = $1', [stray.id]);

  const cut = await chainOfFive();
  await tamper('DELETE FROM audit_entry WHERE id = ANY($1)', [cut.rows.slice(3).map((row) => row.id)]);
  expect((await verifyAuditChain(cut.id)).valid).toBe(false);
  await appendAuditEntries(prismaClient(), [entry(cut.id)]);
  expect((await verifyAuditChain(cut.id)).valid).toBe(false);
});

test('moving the end of the chain back needs the key, and later entries do not repair it', async () => {
  const { id, rows } = await chainOfFive();
  await tamper('DELETE FROM audit_entry WHERE id = $1', [rows[4]?.id]);
  await tamper('UPDATE audit_block SET sequences = sequences[1:4], hashes = substr(hashes, 1, 128) WHERE chain = $1', [
    id,
  ]);
  const { rows: left } = await databasePool().query(
    `SELECT encode(substr(hashes, 97, 32), 'hex') AS hash FROM audit_block WHERE chain = $1`,
    [id],
  );
  await databasePool().query('UPDATE audit_chain SET position = 4, hash = $2 WHERE id = $1', [id, left[0].hash]);
  expect((await verifyAuditChain(id)).valid).toBe(false);
  await appendAuditEntries(prismaClient(), [entry(id)]);
  expect((await verifyAuditChain(id)).valid).toBe(false);
  const gone = await chainOfFive();
  await databasePool().query('DELETE FROM audit_chain WHERE id = $1', [gone.id]);
  expect((await verifyAuditChain(gone.id)).valid).toBe(false);
  await appendAuditEntries(prismaClient(), [entry(gone.id)]);
  expect((await verifyAuditChain(gone.id)).valid).toBe(false);
});

test('the database refuses to change or delete entries', async () => {
  const { id, rows } = await chainOfFive();
  const fresh = entry(id);
  await appendAuditEntries(prismaClient(), [fresh]);
  const refused = (sql: string, ...values: unknown[]) =>
    expect(databasePool().query(sql, values)).rejects.toThrow('append-only');
  await refused(`UPDATE audit_entry SET result = 'failure' WHERE id = $1`, rows[0]?.id);
  await refused(`UPDATE audit_entry SET result = 'failure' WHERE id = $1`, fresh.id);
  await refused('DELETE FROM audit_entry WHERE id = $1', rows[0]?.id);
  await refused('DELETE FROM audit_entry WHERE id = $1', fresh.id);
  await refused('UPDATE audit_block SET first_position = 99 WHERE chain = $1', id);
  await refused('DELETE FROM audit_block WHERE chain = $1', id);
  await refused('TRUNCATE audit_entry');
  await refused('TRUNCATE audit_block');
});

test('an entry that commits late gets a position, and writers do not wait for the sealer', async () => {
  const { id } = await chainOfFive();
  const late = await databasePool().connect();
  try {
    await late.query('BEGIN');
    const { id: lateId, ...row } = entry(id);
    await late.query(
      `INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [lateId, id, row.category, row.action, row.result, row.actor, row.resource, row.metadata],
    );
    await appendAuditEntries(prismaClient(), [entry(id)]);
    expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 6 });
    await late.query('COMMIT');
  } finally {
    late.release();
  }
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 7 });
});

test('many concurrent writers and sealers produce one intact chain', async () => {
  const id = await buildWorkspace();
  const writers = Array.from({ length: 60 }, () => appendAuditEntries(prismaClient(), [entry(id), entry(null)]));
  const sealers = Array.from({ length: 5 }, () => sealAllEntries());
  await Promise.all([...writers, ...sealers]);
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 60 });
  expect((await verifyAuditChain('service')).valid).toBe(true);
});

test('an entry deleted before sealing does not block others', async () => {
  const id = await buildWorkspace();
  const rows = Array.from({ length: 450 }, () => entry(id));
  await appendAuditEntries(prismaClient(), rows);
  await tamper('DELETE FROM audit_entry WHERE id = ANY($1)', [rows.slice(0, 300).map((row) => row.id)]);
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 150 });
});

test('retention and concurrent sealers leave one intact chain', async () => {
  const { id } = await chainOfFive();
  const writers = Array.from({ length: 40 }, () => appendAuditEntries(prismaClient(), [entry(id)]));
  const keepers = Array.from({ length: 5 }, () => [
    sealEntriesUncontended(),
    pruneAuditEntries(0),
    resealAuditChains(),
  ]);
  await Promise.all([...writers, ...keepers.flat()]);
  await appendAuditEntries(prismaClient(), [entry(id)]);
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, head: { position: 46 } });
});

test('verifying ends although entries keep coming', async () => {
  const { id } = await chainOfFive();
  await appendAuditEntries(prismaClient(), [entry(id)]);
  // Adds one entry each time this chain has moved on.
  await databasePool().query(`
    CREATE FUNCTION one_more() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO audit_entry (id, workspace_id, category, action, result, actor, resource, metadata)
      VALUES ('aud_' || gen_random_uuid(), NEW.id, 'authorization', 'more', 'success', '{}', '{}', '{}');
      RETURN NULL;
    END $$;
    CREATE TRIGGER one_more AFTER UPDATE ON audit_chain FOR EACH ROW WHEN (NEW.id = '${id}') EXECUTE FUNCTION one_more()`);
  try {
    expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 6 });
    await sealEntriesUncontended();
  } finally {
    await databasePool().query('DROP FUNCTION one_more CASCADE');
  }
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 8 });
});

test('retention removes the oldest entries, and the rest stays verifiable', async () => {
  const id = await buildWorkspace();
  const old = new Date(Date.now() - 10 * 86_400_000);
  for (const timestamp of [old, old, new Date(), old, new Date()]) {
    await prismaClient().auditEntry.create({ data: { ...entry(id), timestamp } });
    await sealAllEntries();
  }
  expect(await pruneAuditEntries(20)).toBe(0);
  expect(await pruneAuditEntries(5)).toBe(2);
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 3, head: { position: 5 } });
  await appendAuditEntries(prismaClient(), [entry(id)]);
  expect(await verifyAuditChain(id)).toMatchObject({ valid: true, entries: 4 });
  const { rows } = await databasePool().query(
    'SELECT id FROM audit_entry WHERE workspace_id = $1 ORDER BY sequence LIMIT 1',
    [id],
  );
  await tamper('DELETE FROM audit_entry WHERE id = $1', [rows[0].id]);
  expect((await verifyAuditChain(id)).valid).toBe(false);
});

test('keys rotate without breaking chains', async () => {
  const { id } = await chainOfFive();
  const before = getRuntime();
  const withKeys = (encryptionKeys: string[]) => setRuntime({ ...before, env: { ...before.env, encryptionKeys } });
  const [old = ''] = before.env.encryptionKeys;
  try {
    withKeys(['the next key, which is long enough by itself', old]);
    expect((await verifyAuditChain(id)).valid).toBe(true);
    await resealAuditChains();
    withKeys(['the next key, which is long enough by itself']);
    expect((await verifyAuditChain(id)).valid).toBe(true);
    await resealAuditChains();
  } finally {
    withKeys([old, 'the next key, which is long enough by itself']);
    await resealAuditChains();
    setRuntime(before);
  }
});

let owner: TestUser;
beforeAll(async () => {
  owner = await buildUser();
});
const read = (query: string, user = owner) =>
  call<{ data: AuditEntryResponse[]; total: number }>('GET', `/auth/audit?${query}`, { token: user.token });

test('the log shows who did what, filtered, newest first, to administrators of this workspace only', async () => {
  const viewer = await buildUser({ workspaceId: owner.workspaceId, role: 'viewer' });
  const made = await call<{ id: string }>('POST', '/api/workflows', { token: owner.token, body: { name: 'x' } });
  const denied = await call('POST', '/api/workflows', { token: viewer.token, body: { name: 'x' } });
  const { data } = (await read(`action=workflows.create&actorId=${owner.id}`)).body;
  expect(data).toEqual([
    {
      id: expect.stringMatching(/^aud_/),
      timestamp: expect.any(String),
      category: 'configuration_change',
      action: 'workflows.create',
      actor: { type: 'user', id: owner.id, email: owner.email },
      resource: { type: 'workflow', id: made.body.id },
      result: 'success',
      metadata: { ipAddress: '192.0.2.1', userAgent: '', requestId: made.headers.get('x-request-id'), name: 'x' },
    },
  ]);
  const refusals = (await read('result=denied&category=authorization')).body.data;
  expect(refusals[0]?.metadata.requestId).toBe(denied.headers.get('x-request-id'));
  const all = (await read('limit=100')).body.data.map(({ timestamp }) => timestamp);
  expect(all).toEqual(all.toSorted().toReversed());
  expect((await read(`to=${new Date(0).toISOString()}`)).body.total).toBe(0);
  expect((await read('', viewer)).status).toBe(403);
  expect((await read('', await buildUser())).body.data.every((one) => one.actor.id !== owner.id)).toBe(true);
});

test('actions of the service without a request are shown as well', async () => {
  const own = { actor: { type: 'system', id: null }, metadata: { source: 'ADMIN_EMAIL' }, action: 'setup.create' };
  await appendAuditEntries(prismaClient(), [entry(owner.workspaceId, own)]);
  const { status, body } = await read('action=setup.create');
  expect(status).toBe(200);
  expect(body.data[0]).toMatchObject({
    actor: { type: 'system', id: null, email: null },
    metadata: { source: 'ADMIN_EMAIL', ipAddress: '', userAgent: '', requestId: '' },
  });
});

test.each([
  'limit=0',
  'limit=101',
  'offset=-1',
  'from=yesterday',
  'category=x',
  'result=x',
  'actor=x',
  'limit=1&limit=2',
])('?%s is a bad request', async (query) => expect((await read(query)).status).toBe(400));

test('verification is for administrators', async () => {
  const answer = await call<AuditChainCheck>('GET', '/auth/audit/verify', { token: owner.token });
  expect(answer.body).toMatchObject({ valid: true, firstBroken: null });
  expect(answer.body.entries).toBeGreaterThan(0);
});

const exported = async (query: string) => {
  const request = new Request(`http://weft.test/auth/audit/export?${query}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const answer = await routeWebRequest(request);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

test('exports contain every matching entry; spreadsheets find no formulas in them', async () => {
  const evil = entry(owner.workspaceId, {
    action: 'evil',
    metadata: { ipAddress: '', userAgent: '=HYPERLINK("http://evil")', requestId: '"quoted"' },
  });
  await appendAuditEntries(prismaClient(), [
    evil,
    ...Array.from({ length: 1500 }, () => entry(owner.workspaceId, { action: 'many' })),
  ]);
  const lines = (await exported('format=jsonl&action=many')).text.trim().split('\n');
  expect(new Set(lines.map((line) => (JSON.parse(line) as AuditEntryResponse).id)).size).toBe(1500);
  const csv = await exported('format=csv&action=evil');
  expect(csv.type).toBe('text/csv; charset=utf-8');
  expect(csv.text.split('\r\n')).toHaveLength(3);
  expect(csv.text).toContain(`"'=HYPERLINK(""http://evil"")"`);
  expect((await exported('format=xml')).status).toBe(400);
  expect((await read('action=audit.export')).body.total).toBeGreaterThan(0);
});
