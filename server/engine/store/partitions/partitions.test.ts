import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId, generateOrderedId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { usePlainDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, startRunOf, storeWorkflow, testKinds, until, type StoredWorkflow } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../../worker';
import { removeExpiredRows } from '../retention';
import { addUpTally, countExecutions } from '../tally';
import { partitionRunTables } from './convert';
import { RUN_PART_TABLES } from '@/server/platform/db/run-tables';
import {
  runIdAtTime,
  PARTITION_DAY_MS,
  describePartition,
  readRunPartitions,
  REST_PARTITION,
  RUN_TABLES,
} from './layout';
import { addNextPartitions, createRunPartition } from './upkeep';

usePlainDatabase();

const NOW = Date.now();
const TODAY = Math.floor(NOW / PARTITION_DAY_MS) * PARTITION_DAY_MS;
/** Partitions begin five weeks ago. */
const START = TODAY - 35 * PARTITION_DAY_MS;

const client = () => new pg.Client({ connectionString: getRuntime().env.databaseUrl });
let admin: pg.Client;
let attacker: StoredWorkflow;
let waiting: StoredWorkflow;
let worker: EngineWorker | undefined;

beforeAll(async () => {
  admin = client();
  await admin.connect();
  attacker = await storeWorkflow(flow({ s: { type: 'start' } }));
  waiting = await storeWorkflow(flow({ s: { type: 'start' } }));
});
afterAll(async () => {
  await worker?.stop();
  await admin.end();
});

let made = 0;
/** Stores a run that began `days` ago and ended an hour later; `ended: null`: it waits. Returns its id. */
async function store({ workspaceId, workflowId }: StoredWorkflow, days: number, ended: number | null = days) {
  made += 1;
  const at = new Date(NOW - days * PARTITION_DAY_MS);
  const id = `${runIdAtTime(at.getTime())}${String(made).padStart(24, '0')}`;
  await databasePool().query(
    `INSERT INTO execution (id, workspace_id, workflow_id, workflow_version, status, trigger, input, available_at, created_at, completed_at)
     VALUES ($1, $2, $3, 1, $4, 'manual', '{}', NULL, $5, $6)`,
    [
      id,
      workspaceId,
      workflowId,
      ended === null ? 'paused' : 'completed',
      at,
      ended === null ? null : new Date(NOW - ended * PARTITION_DAY_MS),
    ],
  );
  await databasePool().query(
    `INSERT INTO node_result (execution_id, node_id, status, attempts, revision) VALUES ($1, 's', 'completed', 1, 1)`,
    [id],
  );
  await databasePool().query(
    `INSERT INTO log_entry (execution_id, level, message, timestamp) VALUES ($1, 'info', 'x', now())`,
    [id],
  );
  await databasePool().query(
    `INSERT INTO decision (execution_id, node_id, decision, decided_by) VALUES ($1, 's', 'approved', 'u')`,
    [id],
  );
  return id;
}

const kept = async (ids: string[]) =>
  (await prismaClient().execution.findMany({ where: { id: { in: ids } } })).map(({ id }) => id).toSorted();
const partsOf = async (ids: string[]) => ({
  results: await prismaClient().nodeResult.count({ where: { executionId: { in: ids } } }),
  lines: await prismaClient().logEntry.count({ where: { executionId: { in: ids } } }),
  decisions: await prismaClient().decision.count({ where: { executionId: { in: ids } } }),
});
const names = async () => (await readRunPartitions(admin))?.map(({ name }) => name);
const nameAt = (at: number) => describePartition(at, at).name;
const indexes = async () =>
  (
    await admin.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE tablename = ANY($1) ORDER BY indexname`,
      [RUN_TABLES],
    )
  ).rows.map(({ name }) => name);
const runsWithWorker = async (work: () => Promise<void>) => {
  worker = await startWorker({ concurrency: 5, kinds: testKinds(async () => null).kinds, graceMs: 200 });
  await work();
  await worker.stop();
  worker = undefined;
};

describe('partitioning the tables of runs', () => {
  it('is refused while runs have ids without a time, and leaves the tables as they are', async () => {
    const { workspaceId, workflowId } = waiting;
    const id = `exec_z${generateId('exec').slice(6)}`;
    const run = { workspaceId, workflowId, workflowVersion: 1, trigger: 'manual', status: 'completed', input: {} };
    await prismaClient().execution.create({ data: { id, ...run, completedAt: new Date() } });
    await expect(partitionRunTables(admin, 7)).rejects.toThrow('1 runs have ids that do not begin with their time');
    expect(await readRunPartitions(admin)).toBeNull();
    const { rows } = await admin.query(`SELECT 1 FROM pg_constraint WHERE conname LIKE '%\\_bound'`);
    expect(rows).toEqual([]);
    await prismaClient().execution.delete({ where: { id } });
  });

  it('undoes its preparation when a table is in use for too long, and can be repeated', async () => {
    const holder = client();
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE log_entry IN ROW EXCLUSIVE MODE');
    await expect(partitionRunTables(admin, 7, { attempts: 1 })).rejects.toThrow('lock timeout');
    await holder.query('ROLLBACK');
    await holder.end();
    const { rows } = await admin.query(`SELECT 1 FROM pg_constraint WHERE conname LIKE '%\\_bound'`);
    expect([await readRunPartitions(admin), rows]).toEqual([null, []]);
  });

  it('keeps rows, indexes and counts, once', async () => {
    const old = await store(waiting, 50);
    const before = await indexes();
    await partitionRunTables(admin, 7, { start: START });
    expect(await names()).toEqual(['history', ...[0, 7, 14].map((day) => nameAt(START + day * PARTITION_DAY_MS))]);
    expect(await indexes()).toEqual(
      before
        .map((name) => (name === 'execution_child_key' ? 'execution_child_idx' : name))
        .filter((name) => name !== 'log_entry_pkey')
        .toSorted(),
    );
    expect([await kept([old]), await partsOf([old])]).toEqual([[old], { results: 1, lines: 1, decisions: 1 }]);
    expect(await countExecutions({ workspaceId: waiting.workspaceId })).toBe(1);
    await expect(partitionRunTables(admin, 7)).rejects.toThrow('partitioned already');
  });

  it('knows every table with parts of a run', async () => {
    const { rows } = await admin.query<{ text: string }>(
      `SELECT pg_get_functiondef('remove_run_parts'::regproc) AS text`,
    );
    for (const [table, key] of Object.entries(RUN_PART_TABLES))
      expect(rows[0]?.text).toContain(`DELETE FROM ${table} p USING before WHERE p.${key}`);
  });

  it('moves the rows of a time without a partition when that is made', async () => {
    const between = await store(waiting, 3);
    const { rows } = await admin.query(`SELECT id FROM execution_${REST_PARTITION}`);
    expect(rows).toEqual([{ id: between }]);
    await addNextPartitions(admin);
    expect((await admin.query(`SELECT id FROM execution_${REST_PARTITION}`)).rows).toEqual([]);
    expect(await partsOf([between])).toEqual({ results: 1, lines: 1, decisions: 1 });
    const last = (await readRunPartitions(admin))?.at(-1);
    expect(last && last.to >= runIdAtTime(NOW + 14 * PARTITION_DAY_MS)).toBe(true);
    expect(await countExecutions({ workspaceId: waiting.workspaceId })).toBe(2);
  });
});

describe('with partitioned tables', () => {
  it('runs go on, and an attempt starts one child', async () => {
    const child = await storeWorkflow(flow({ s: { type: 'start' } }));
    const sub = { type: 'sub_workflow', config: { workflowId: child.workflowId } };
    const parent = await storeWorkflow(flow({ s: { type: 'start' }, sub }, ['s>sub']), child.workspaceId);
    await runsWithWorker(async () => {
      const run = await startRun(parent, { n: 1 });
      expect((await run.finish()).status).toBe('completed');
      const started = await prismaClient().execution.findMany({ where: { parentId: run.executionId } });
      expect(started).toHaveLength(1);
      const twice = { ...started[0], id: generateOrderedId('exec'), input: {} } as (typeof started)[number];
      const columns = ['id', 'workspace_id', 'workflow_id', 'parent_id', 'parent_node', 'parent_attempt'];
      const { rowCount } = await databasePool().query(
        `INSERT INTO execution (${columns.join(', ')}, workflow_version, status, trigger, input)
         VALUES ($1, $2, $3, $4, $5, $6, 1, 'pending', 'sub_workflow', '{}') ON CONFLICT DO NOTHING`,
        [twice.id, twice.workspaceId, twice.workflowId, twice.parentId, twice.parentNode, twice.parentAttempt],
      );
      expect(rowCount).toBe(0);
    });
  });

  it('the removal of a workspace removes its runs with their parts, and nothing of another one', async () => {
    const gone = await storeWorkflow(flow({ s: { type: 'start' } }));
    const [mine, theirs] = [await store(gone, 1), await store(waiting, 1)];
    await databasePool().query('DELETE FROM workspace WHERE id = $1', [gone.workspaceId]);
    expect([await kept([mine, theirs]), await partsOf([mine])]).toEqual([
      [theirs],
      { results: 0, lines: 0, decisions: 0 },
    ]);
    await addUpTally();
    expect(await countExecutions({ workspaceId: gone.workspaceId })).toBe(0);
  });

  it('the clean-up drops partitions whose runs are all old, and removes rows only from those with runs that are kept', async () => {
    await prismaClient().execution.deleteMany({ where: { workspaceId: waiting.workspaceId } });
    const count = () => countExecutions({ workspaceId: waiting.workspaceId });
    // In the history, in a partition of old runs, in one with a run that waits, and in one of which a part is old.
    const history = [await store(waiting, 50), await store(attacker, 50)];
    const dropped = [await store(waiting, 34), await store(attacker, 33)];
    const mixed = [await store(waiting, 27), await store(attacker, 26, null), await store(waiting, 25, 2)];
    const young = [await store(waiting, 19.9), await store(attacker, 1)];
    const later = await store(waiting, 15);
    expect(await count()).toBe(6);
    // Four weeks ago to three weeks ago is old; the partition after it is not, although its first runs are older than
    // the limit.
    const removed = await removeExpiredRows(20);
    expect(removed?.get('execution')).toBe(5);
    expect(await kept([...history, ...dropped])).toEqual([]);
    expect(await partsOf([...history, ...dropped])).toEqual({ results: 0, lines: 0, decisions: 0 });
    expect(await kept([...mixed, ...young, later])).toEqual([...mixed.slice(1), ...young, later].toSorted());
    expect((await names())?.slice(0, 2)).toEqual([
      nameAt(START + 7 * PARTITION_DAY_MS),
      nameAt(START + 14 * PARTITION_DAY_MS),
    ]);
    expect(await count()).toBe(3);
    await addUpTally();
    expect(await count()).toBe(3);
  });

  it('the clean-up keeps runs that are to be kept, and the partition for as long', async () => {
    const from = TODAY - 400 * PARTITION_DAY_MS;
    await admin.query('BEGIN');
    await createRunPartition(admin, describePartition(from, from + PARTITION_DAY_MS));
    await admin.query('COMMIT');
    const days = (NOW - from) / PARTITION_DAY_MS - 0.5;
    const [keep, gone] = [await store(waiting, days), await store(attacker, days)];
    const annotation = { executionId: keep, workspaceId: waiting.workspaceId, isKept: true };
    await prismaClient().executionAnnotation.create({ data: annotation });
    await removeExpiredRows(20);
    expect([await kept([keep, gone]), await names()]).toEqual([[keep], expect.arrayContaining([nameAt(from)])]);
    await prismaClient().executionAnnotation.update({ where: { executionId: keep }, data: { isKept: false } });
    await removeExpiredRows(20);
    expect([await kept([keep]), await names()]).toEqual([[], expect.not.arrayContaining([nameAt(from)])]);
    expect(await prismaClient().executionAnnotation.count()).toBe(0);
  });

  it.each(['partition', 'single run'] as const)(
    'a run that a user asks to keep while the clean-up removes its %s stays',
    async (what) => {
      const from = TODAY - 400 * PARTITION_DAY_MS;
      await admin.query('BEGIN');
      await createRunPartition(admin, describePartition(from, from + PARTITION_DAY_MS));
      await admin.query('COMMIT');
      const days = (NOW - from) / PARTITION_DAY_MS - 0.5;
      const keep = await store(waiting, days);
      if (what === 'single run')
        await prismaClient().executionAnnotation.create({
          data: { executionId: await store(attacker, days), workspaceId: attacker.workspaceId, isKept: true },
        });
      const user = client();
      await user.connect();
      try {
        await user.query('BEGIN');
        await user.query('SELECT FROM execution WHERE id = $1 FOR KEY SHARE', [keep]);
        await user.query(
          `INSERT INTO execution_annotation (execution_id, workspace_id, is_kept, updated_at) VALUES ($1, $2, true, now())`,
          [keep, waiting.workspaceId],
        );
        const cleaned = removeExpiredRows(20);
        await until(
          async () =>
            (
              await admin.query(
                `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
              )
            ).rowCount === 1,
          'the clean-up to wait',
        );
        await user.query('COMMIT');
        await cleaned;
      } finally {
        await user.end();
      }
      expect(await kept([keep])).toEqual([keep]);
      expect(await prismaClient().executionAnnotation.count({ where: { executionId: keep, isKept: true } })).toBe(1);
      await prismaClient().executionAnnotation.deleteMany();
      await removeExpiredRows(20);
    },
  );

  it('the migration of annotations adds no foreign key to partitioned runs', async () => {
    const sql = readFileSync(path.resolve('prisma/squashed/2/20261125201000_run_annotations/migration.sql'), 'utf8');
    await admin.query('BEGIN');
    await admin.query('DROP TABLE execution_annotation');
    await admin.query(sql);
    const { rows } = await admin.query(
      `SELECT conname FROM pg_constraint WHERE conrelid = 'execution_annotation'::regclass AND contype = 'f'`,
    );
    await admin.query('ROLLBACK');
    expect(rows).toEqual([]);
  });

  it('the migration of the foreign key of results leaves one trigger, also on partitioned runs', async () => {
    const sql = readFileSync(
      path.resolve('prisma/squashed/2/20261126110000_results_without_foreign_key/migration.sql'),
      'utf8',
    );
    await admin.query('BEGIN');
    await admin.query(sql);
    const { rows } = await admin.query(
      `SELECT tgname FROM pg_trigger WHERE tgrelid = 'execution'::regclass AND tgfoid = 'remove_run_parts'::regproc`,
    );
    await admin.query('ROLLBACK');
    expect(rows).toEqual([{ tgname: 'execution_parts' }]);
  });

  it('a shorter limit of one workspace holds at once, for that workspace alone', async () => {
    const ids = [await store(attacker, 6), await store(waiting, 6)];
    const settings = { executionRetentionDays: 5 };
    await prismaClient().workspace.update({ where: { id: attacker.workspaceId }, data: { settings } });
    await removeExpiredRows(20);
    expect(await kept(ids)).toEqual([ids[1]]);
  });

  it('the clean-up finishes what a process has left that ended after it detached a partition', async () => {
    const from = TODAY - 350 * PARTITION_DAY_MS;
    await admin.query('BEGIN');
    await createRunPartition(admin, describePartition(from, from + PARTITION_DAY_MS));
    await admin.query('COMMIT');
    const id = await store(attacker, (NOW - from) / PARTITION_DAY_MS - 0.5);
    const before = await countExecutions({ workspaceId: attacker.workspaceId });
    for (const table of RUN_TABLES) await admin.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_${nameAt(from)}`);
    expect((await removeExpiredRows(20))?.get('execution')).toBe(1);
    expect(await partsOf([id])).toEqual({ results: 0, lines: 0, decisions: 0 });
    expect(await countExecutions({ workspaceId: attacker.workspaceId })).toBe(before - 1);
    const { rows } = await admin.query('SELECT to_regclass($1) AS found', [`execution_${nameAt(from)}`]);
    expect(rows).toEqual([{ found: null }]);
  });

  it('a run of today is stored in the partition of its time', async () => {
    const run = await startRunOf(flow({ s: { type: 'start' } }));
    const { rows } = await admin.query<{ name: string }>(
      'SELECT tableoid::regclass::text AS name FROM execution WHERE id = $1',
      [run.executionId],
    );
    const weeks = Math.floor((TODAY - START) / (7 * PARTITION_DAY_MS));
    expect(rows[0]?.name).toBe(`execution_${nameAt(START + weeks * 7 * PARTITION_DAY_MS)}`);
  });
});
