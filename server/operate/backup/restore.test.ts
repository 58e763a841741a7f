import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { listChainIds } from '@/server/people/audit/retention';
import { verifyAuditChain } from '@/server/people/audit/verify';
import { openDatabaseConnections, databasePool } from '@/server/platform/db/client';
import { listKnownMigrations, migrateDatabase } from '@/server/platform/db/migrate';
import { partitionRunTables } from '@/server/engine/store/partitions/convert';
import { startWorker } from '@/server/engine/worker';
import { LocalStorage } from '@/server/data/files/local-storage';
import { openFileStorage } from '@/server/data/files/storage';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { createRowStorage } from '@/server/data/tables/schema';
import { createPgSql } from '@/server/data/tables/sql';
import { useOwnDatabase } from '@/server/testing/database';
import { buildUser, call } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { createFixtures } from '@/server/testing/fixtures';
import { startRunOf, testKinds, until, type StartedRun } from '@/server/testing/runs';
import { createBackup } from './backup';
import { listColumnNames, MIGRATION_HISTORY_TABLE, quoteSqlName, listTableNames } from './catalogue';
import { BACKUP_MAGIC, backupFormat } from './records';
import { restoreBackup, type RestoreTarget } from './restore';
import { verifyBackupFile } from './walk';

useOwnDatabase();

const migrations = path.resolve(import.meta.dirname, '../../../prisma/migrations');
const folder = mkdtempSync(path.join(tmpdir(), 'weft-backup-'));
const file = path.join(folder, 'good.backup');
const drops: (() => Promise<void>)[] = [];
let waiting: StartedRun;
let ids: Record<string, Record<string, string>>;
let token: string;

/** A name that no file has, in each try of a test. */
const fresh = (word: string) => path.join(folder, `${word}-${randomBytes(4).toString('hex')}.backup`);

const source = () => ({
  url: getRuntime().env.databaseUrl ?? '',
  version: '1.2.3',
  files: openFileStorage(),
  filesAt: null,
  key: getRuntime().env.encryptionKeys[0] ?? '',
});

/** A database without a single table, on the server of all tests. */
async function emptyDatabase(): Promise<string> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await databasePool().query(`CREATE DATABASE ${name} TEMPLATE template0`);
  drops.push(async () => void (await databasePool().query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function target(changes: Partial<RestoreTarget> = {}): Promise<RestoreTarget> {
  const url = changes.url ?? (await emptyDatabase());
  const files = new LocalStorage(mkdtempSync(path.join(folder, 'files-')));
  return { url, migrations, files, temporary: folder, keys: getRuntime().env.encryptionKeys, ...changes };
}

async function on<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Number and hash of the rows of every table, and of what makes the schema. */
const contentOf = (url: string) =>
  on(url, async (client) => {
    const content: Record<string, unknown> = {};
    for (const table of await listTableNames(client)) {
      const kept = (await listColumnNames(client, table)).filter(
        (column) => table !== 'data_table' || !['is_indexed', 'analyzed_rows'].includes(column),
      );
      const { rows } = await client.query(
        `SELECT count(*)::int AS count, md5(string_agg(line, E'\\n' ORDER BY line COLLATE "C")) AS hash
         FROM (SELECT ROW(${kept.map(quoteSqlName).join(', ')})::text AS line FROM ${quoteSqlName(table)}) lines`,
      );
      content[table] = rows[0];
    }
    const more = {
      triggers: `SELECT tgrelid::regclass::text AS t, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
      keys: `SELECT conrelid::regclass::text AS t, conname, pg_get_constraintdef(oid) FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND contype = 'f' ORDER BY 1, 2`,
      indexes: `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`,
      sequences: `SELECT sequencename, last_value::text FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`,
      migrations: `SELECT migration_name, checksum FROM ${MIGRATION_HISTORY_TABLE} ORDER BY 1`,
    };
    for (const [name, sql] of Object.entries(more)) content[`(${name})`] = (await client.query(sql)).rows;
    return content;
  });

/** The part of a content that is rows. `run_child` has rows where runs are partitioned. */
const rowsIn = (content: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(content).filter(([name]) => !name.startsWith('(') && name !== 'run_child'));

/** What a restored database has in common with its original: partitions become one table. */
const shared = (content: Record<string, unknown>) => (process.env.PARTITIONED_RUNS ? rowsIn(content) : content);

/** Runs `work` as a process on another database would. */
async function servedBy<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const before = getRuntime();
  const connections = openDatabaseConnections(url);
  setRuntime({ env: { ...before.env, databaseUrl: url }, ...connections });
  try {
    return await work();
  } finally {
    setRuntime(before);
    await connections.prisma.$disconnect();
    await connections.pool.end();
  }
}

const tablesIn = (url: string) => on(url, listTableNames);

beforeAll(async () => {
  const [user, neighbour] = [await buildUser(), await buildUser()];
  ({ token } = user);
  ids = await createFixtures(user);
  await createFixtures(neighbour);
  const worker = await startWorker({ concurrency: 5, kinds: testKinds(async () => null).kinds, graceMs: 200 });
  try {
    const delay = { type: 'delay', config: { until: '$fromMillis(input.dueAt)' } };
    const z = { type: 'transform', config: { fields: { late: '{{ nodes.s.n + 1 }}' } } };
    waiting = await startRunOf(flow({ s: { type: 'start' }, delay, z }, ['s>delay', 'delay>z']), {
      n: 41,
      dueAt: Date.now() + 3_600_000,
    });
    await until(async () => (await waiting.read()).nodeResults[1]?.status === 'running', 'the delay');
  } finally {
    await worker.stop();
  }
  await createBackup(file, source());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop();
});

describe('a restored backup', () => {
  it('equals the original in every table, sequence, key and trigger, and runs continue', async () => {
    const to = await target();
    const { rows, tables, files, lostFiles } = await restoreBackup(file, to);
    const { url } = source();
    expect(shared(await contentOf(to.url))).toEqual(shared(await contentOf(url)));
    expect(tables).toBe((await tablesIn(url)).length);
    expect(rows).toBeGreaterThan(50);
    expect([files, lostFiles]).toEqual([2, []]);
    const bytes: Buffer[] = [];
    for await (const chunk of (await to.files.read(ids.files!.id!))!) bytes.push(chunk as Buffer);
    expect(Buffer.concat(bytes).toString()).toBe('text');

    await servedBy(to.url, async () => {
      for (const chain of await listChainIds()) expect(await verifyAuditChain(chain)).toMatchObject({ valid: true });
      // Rows are numbered on from where the sequence was.
      const inserted = await call('POST', `/api/tables/${ids.tables!.id}/rows`, {
        token,
        body: { rows: [{ email: 'grace@example.com' }] },
      });
      expect(inserted.status).toBe(201);
      await databasePool().query(
        `UPDATE node_result SET wake_at = now() WHERE execution_id = $1 AND wake_at IS NOT NULL`,
        [waiting.executionId],
      );
      await databasePool().query('UPDATE execution SET available_at = now() WHERE id = $1', [waiting.executionId]);
      const worker = await startWorker({ concurrency: 5, kinds: testKinds(async () => null).kinds, graceMs: 200 });
      try {
        expect(await waiting.finish()).toMatchObject({ status: 'completed', output: { late: 42 } });
      } finally {
        await worker.stop();
      }
    });
    expect((await waiting.read()).status).not.toBe('completed');
  });

  it('has the rows of partitioned tables, and can be restored into them', { tags: 'long' }, async () => {
    const first = await target();
    await restoreBackup(file, first);
    await on(first.url, (client) => partitionRunTables(client, 7));
    const copy = fresh('partitioned');
    await createBackup(copy, { ...source(), url: first.url });
    const partitioned = await emptyDatabase();
    await migrateDatabase(partitioned, migrations);
    await on(partitioned, (client) => partitionRunTables(client, 7));
    const rowsOf = async (url: string) => rowsIn(await contentOf(url));
    const original = await rowsOf(source().url);
    for (const url of [await emptyDatabase(), partitioned]) {
      await restoreBackup(copy, await target({ url }));
      expect(await rowsOf(url)).toEqual(original);
    }
    const parts = (client: pg.Client) =>
      client.query<{ table: string; rows: number }>(
        `SELECT tableoid::regclass::text AS table, count(*)::int AS rows FROM execution GROUP BY 1`,
      );
    const { rows } = await on(partitioned, parts);
    expect(rows).toEqual([{ table: 'execution_history', rows: expect.any(Number) }]);
  });

  it('is of one moment, although others write', async () => {
    const busy = fresh('busy');
    let isWriting = true;
    // Both rows or neither, always.
    await databasePool().query('CREATE TABLE a_left (n int); CREATE TABLE z_right (n int)');
    const writing = (async () => {
      for (let n = 0; isWriting; n += 1)
        await databasePool().query(`WITH l AS (INSERT INTO a_left VALUES (${n})) INSERT INTO z_right VALUES (${n})`);
    })();
    try {
      await until(
        async () => (await databasePool().query('SELECT FROM z_right LIMIT 1')).rowCount === 1,
        'the first pair of rows',
      );
      await createBackup(busy, source());
    } finally {
      isWriting = false;
      await writing;
      await databasePool().query('DROP TABLE a_left, z_right');
    }
    const text = gunzipSync(readFileSync(busy)).toString('latin1');
    const rowsOf = (table: string) =>
      /"rows":(\d+)/.exec(text.slice(text.indexOf(`"kind":"table","name":"${table}"`)))?.[1];
    expect(Number(rowsOf('a_left'))).toBeGreaterThan(0);
    expect(rowsOf('a_left')).toBe(rowsOf('z_right'));
  });

  it('keeps secrets as they are sealed, and no key', () => {
    const text = gunzipSync(readFileSync(file)).toString('latin1');
    const { encryptionKeys, mfaSecretKeys, jwtSecret } = getRuntime().env;
    for (const key of [...encryptionKeys, ...mfaSecretKeys, jwtSecret]) expect(text.includes(key)).toBe(false);
    expect(text).toContain('"keys":["JWT_SECRET","ENCRYPTION_KEY","MFA_SECRET_KEY"]');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it(
    'names files whose bytes are gone or altered, or that are stored elsewhere, and restores without them',
    { tags: 'long' },
    async () => {
      const storage = new LocalStorage(path.join(folder, 'altered-files'));
      storage.read = async (key) =>
        key === ids.files!.id ? Readable.from([Buffer.from('TEXT')]) : openFileStorage().read(key);
      const changed = fresh('changed');
      expect(await createBackup(changed, { ...source(), files: storage })).toMatchObject({
        files: 1,
        lostFiles: [ids.files!.id],
      });
      const to = await target();
      expect(await restoreBackup(changed, to)).toMatchObject({ files: 1, lostFiles: [ids.files!.id] });
      expect(await to.files.read(ids.files!.id!)).toBeNull();
      const lost = fresh('lost');
      const empty = new LocalStorage(path.join(folder, 'no-files'));
      const { files, lostFiles } = await createBackup(lost, { ...source(), files: empty });
      expect([files, lostFiles.length]).toEqual([0, 2]);
      expect(lostFiles).toContain(ids.files!.id);
      const elsewhere = fresh('elsewhere');
      const at = 'https://s3.example.com/bucket';
      const { header } = await createBackup(elsewhere, { ...source(), files: null, filesAt: at });
      expect([header.filesAt, header.version]).toEqual([at, '1.2.3']);
    },
  );

  it('does not replace a file, and a failed one leaves none', async () => {
    await expect(createBackup(file, source())).rejects.toThrow('exists already');
    const never = fresh('never');
    await expect(createBackup(never, { ...source(), url: await emptyDatabase() })).rejects.toThrow('is empty');
    expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([]);
  });
});

describe('a restore refuses, and leaves the database empty,', () => {
  const altered = (name: string, bytes: Uint8Array) => {
    const place = path.join(folder, name);
    writeFileSync(place, bytes);
    return place;
  };

  async function refusal(place: string, changes: Partial<RestoreTarget> = {}) {
    const to = await target(changes);
    const error = await restoreBackup(place, to).then(
      () => expect.unreachable('it was restored'),
      (reason: Error) => reason,
    );
    expect(await tablesIn(to.url)).toEqual([]);
    return error.message;
  }

  it('what is cut off, anywhere', async () => {
    const bytes = readFileSync(file);
    for (const share of [0.1, 0.5, 0.999])
      expect(await refusal(altered('cut', bytes.subarray(0, Math.floor(bytes.length * share))))).toContain('damaged');
    const plain = gunzipSync(bytes);
    // Whole as gzip, without its last record.
    expect(
      await refusal(altered('cut', gzipSync(plain.subarray(0, plain.lastIndexOf('{"kind":"end"') - 5)))),
    ).toContain('damaged');
    expect(await refusal(altered('cut', gzipSync(Buffer.concat([plain, Buffer.from('more')]))))).toContain('damaged');
  });

  it('what is altered: a bit of the file, or a letter of a row', async () => {
    const bytes = readFileSync(file);
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(bytes.length / 2)]! ^= 1;
    expect(await refusal(altered('flipped', flipped))).toContain('damaged');
    const plain = gunzipSync(bytes);
    plain[plain.indexOf('@example.com')] = 'X'.charCodeAt(0);
    expect(await refusal(altered('row', gzipSync(plain)))).toContain('damaged');
  });

  it('what has another bit, wherever it is', async () => {
    const read = (bytes: Uint8Array) =>
      verifyBackupFile(altered('bit', bytes), backupFormat(getRuntime().env.encryptionKeys)).then(
        () => 'read',
        (reason: Error) => reason.message,
      );
    // Behind the head of a gzip file, which holds its time, and behind the text at the beginning of a backup.
    for (const [bytes, from, pack] of [
      [readFileSync(file), 10, (one: Buffer) => one],
      [gunzipSync(readFileSync(file)), BACKUP_MAGIC.length, (one: Buffer) => gzipSync(one, { level: 1 })],
    ] as const)
      for (let step = 0; step < 100; step += 1) {
        const place = from + Math.floor(((bytes.length - from) * step) / 100);
        const flipped = Buffer.from(bytes);
        flipped[place]! ^= 1 << (step % 8);
        expect(await read(pack(flipped)), `bit ${step % 8} of byte ${place}`).toMatch(/damaged|altered/);
      }
  });

  it('what somebody altered who can compute hashes, but has no key', async () => {
    const plain = gunzipSync(readFileSync(file));
    const end = plain.lastIndexOf('{"kind":"end"') - 5;
    plain[plain.indexOf('@example.com')] = 'X'.charCodeAt(0);
    const before = createHash('sha256').update(plain.subarray(0, end)).digest('hex');
    const tail = plain
      .subarray(end)
      .toString('latin1')
      .replace(/"digest":"\w+"/, `"digest":"${before}"`);
    const forged = gzipSync(Buffer.concat([plain.subarray(0, end), Buffer.from(tail, 'latin1')]));
    expect(await refusal(altered('forged', forged))).toContain('No key of ENCRYPTION_KEY sealed this backup');
    expect(await refusal(file, { keys: ['another key of more than thirty-two bytes'] })).toContain('No key');
  });

  it('other files', async () => {
    expect(await refusal(altered('text', Buffer.from('not a backup')))).toContain('not a backup');
    expect(await refusal(altered('zip', gzipSync('a text of another program, which is compressed')))).toContain(
      'not a backup',
    );
    expect(await refusal(path.join(folder, 'missing'))).toContain('ENOENT');
  });

  it('a backup of a newer version', async () => {
    const older = path.join(folder, 'older/migrations');
    cpSync(migrations, older, { recursive: true });
    const last = readdirSync(older)
      .filter((name) => /^\d/.test(name))
      .sort()
      .at(-1)!;
    rmSync(path.join(older, last), { recursive: true });
    const squashed = path.join(migrations, '../squashed');
    cpSync(squashed, path.join(older, '../squashed'), { recursive: true });
    expect(await refusal(file, { migrations: older })).toContain(`migration ${last}`);
  });
});

it('a restore refuses a database with rows or with tables of others', async () => {
  const { url } = source();
  const before = await contentOf(url);
  await expect(restoreBackup(file, await target({ url }))).rejects.toThrow('not empty');
  expect(await contentOf(url)).toEqual(before);
  const foreign = await target();
  await on(foreign.url, (client) => client.query('CREATE TABLE somebody (n int)'));
  await expect(restoreBackup(file, foreign)).rejects.toThrow('table somebody');
  expect(await tablesIn(foreign.url)).toEqual(['somebody']);
});

it(
  'a backup that was made in maintenance is restored without it, unless that is wanted',
  { tags: 'long' },
  async () => {
    const { url } = source();
    const copy = fresh('maintenance');
    await databasePool().query("INSERT INTO maintenance (reason) VALUES ('Until 18:00.')");
    try {
      await createBackup(copy, source());
    } finally {
      await databasePool().query('DELETE FROM maintenance');
    }
    const reasonsIn = (at: string) =>
      on(at, async (client) => (await client.query<{ reason: string }>('SELECT reason FROM maintenance')).rows);
    const [plain, kept] = [await target(), await target()];
    expect(await restoreBackup(copy, plain)).toMatchObject({ maintenance: 'Until 18:00.' });
    expect(await reasonsIn(plain.url)).toEqual([]);
    expect(await restoreBackup(copy, { ...kept, keepsMaintenance: true })).toMatchObject({
      maintenance: 'Until 18:00.',
    });
    expect(await reasonsIn(kept.url)).toEqual([{ reason: 'Until 18:00.' }]);
    expect(await reasonsIn(url)).toEqual([]);
    expect((await restoreBackup(file, await target())).maintenance).toBeUndefined();
  },
);

it('a restore can be repeated after one that failed at its end', { tags: 'long' }, async () => {
  const to = await target();
  const broken = new LocalStorage(path.join(folder, 'broken'));
  broken.put = async () => {
    throw new Error('the disk is full');
  };
  await expect(restoreBackup(file, { ...to, files: broken })).rejects.toThrow('the disk is full');
  const counts = Object.values(await contentOf(to.url)).flatMap((one) => (one as { count?: number }).count ?? []);
  expect(counts.every((count) => count === 0)).toBe(true);
  await restoreBackup(file, to);
  expect((await contentOf(to.url)).execution).toEqual((await contentOf(source().url)).execution);
});

it('a backup of an older version gets the later migrations after its rows', async () => {
  const before = '20261124100100_row_files';
  const older = await emptyDatabase();
  const columns = [{ id: 'c1', name: 'notes', type: 'json' as const, isRequired: false, isUnique: false }];
  await migrateDatabase(older, migrations, (name) => name < before);
  await on(older, async (client) => {
    await client.query(
      `INSERT INTO workspace (id, name, slug, tier, updated_at) VALUES ('ws_old', 'Old', 'old', 'free', now())`,
    );
    await client.query(
      `INSERT INTO data_table (id, workspace_id, name, columns, next_column) VALUES ('tbl_old', 'ws_old', 'Notes', $1, 2)`,
      [JSON.stringify(columns)],
    );
    await createRowStorage(createPgSql(client), { id: 'tbl_old', columns, indexes: [] });
    await client.query(`INSERT INTO tbl_old (id, c1) VALUES ('row_1', '{"a":"\\\\n"}')`);
  });
  const place = fresh('older');
  const { header } = await createBackup(place, { ...source(), url: older, files: null });
  expect(header.migrations.map(({ name }) => name)).not.toContain(before);
  const to = await target();
  await restoreBackup(place, to);
  const [old, restored] = [await contentOf(older), await contentOf(to.url)];
  expect([restored.tbl_old, restored.data_table]).toEqual([old.tbl_old, old.data_table]);
  expect(JSON.stringify(restored['(migrations)'])).toContain(before);
  // The later migration watches the tables that exist.
  expect(JSON.stringify(restored['(triggers)'])).toContain('{"t":"tbl_old","tgname":"files_inserted","tgenabled":"O"}');
});

it.each([[['2']], [['1', '2']]])(
  'a backup is restored whose database ran the squashed migrations of levels %j',
  async (levels) => {
    const names = levels.flatMap((level) => readdirSync(path.join(migrations, '../squashed', level)));
    const ran = listKnownMigrations(migrations).filter(({ name }) => names.includes(name));
    const older = await target();
    const { header } = await restoreBackup(file, older);
    await on(older.url, async (client) => {
      // The first migration replaces the squashed ones; later ones ran after either.
      const [initial] = readdirSync(migrations).toSorted();
      await client.query(`DELETE FROM ${MIGRATION_HISTORY_TABLE} WHERE migration_name = $1`, [initial]);
      for (const { name, checksum } of ran)
        await client.query(
          `INSERT INTO ${MIGRATION_HISTORY_TABLE} (id, checksum, migration_name, finished_at) VALUES ($1, $2, $3, now())`,
          [randomUUID(), checksum, name],
        );
    });
    const place = fresh('squashed');
    const backup = await createBackup(place, { ...source(), url: older.url, files: null });
    expect(backup.header.migrations).toHaveLength(names.length + header.migrations.length - 1);
    const to = await target();
    await restoreBackup(place, to);
    const [{ '(migrations)': _, ...original }, { '(migrations)': history, ...restored }] = [
      await contentOf(older.url),
      await contentOf(to.url),
    ];
    expect(restored).toEqual(original);
    const own = header.migrations.map(({ name, checksum }) => ({ migration_name: name, checksum }));
    expect(history).toEqual(expect.arrayContaining(own));
  },
);
