import { Redis } from 'ioredis';
import nodemailer from 'nodemailer';
import pg from 'pg';
import { listKnownMigrations, listSquashedNames } from '@/server/platform/db/migrate';
import { SEALED_COLUMNS } from '@/server/platform/db/rotate';
import { openSealedText } from '@/server/platform/db/seal';
import type { ServiceEnv } from '@/server/platform/env/env';
import { checkSessions } from './checkup-sessions';

/** A finding of the doctor. With a warning the service works, but an operator should act. */
export interface CheckupFinding {
  about: string;
  verdict: 'good' | 'warning' | 'bad';
  text: string;
}

type CheckupStep = () => Promise<Omit<CheckupFinding, 'about'>>;

const goodFinding = (text: string) => ({ verdict: 'good' as const, text });
const warningFinding = (text: string) => ({ verdict: 'warning' as const, text });
const badFinding = (text: string) => ({ verdict: 'bad' as const, text });

const NO_TABLE_SQLSTATE = '42P01';
/** A clock difference of this size makes leases and timers unreliable. */
const MAX_DATABASE_SKEW_MS = 1000;
const MAX_RUN_WAIT_SECONDS = 60;
/** The number of sealed values that are opened for each column. */
const SEALED_SAMPLE_SIZE = 500;

/** Checks everything that the service needs. It changes nothing, and continues after a failed check. */
export async function checkInstallation(env: ServiceEnv, pool: pg.Pool, migrations: string): Promise<CheckupFinding[]> {
  const looks: Record<string, CheckupStep> = {
    database: () => checkOwnDatabase(pool),
    sessions: () => checkSessions(env, pool),
    schema: () => checkSchema(pool, migrations),
    maintenance: () => checkMaintenance(pool),
    workers: () => checkWorkers(pool),
    keys: () => checkKeys(env, pool),
    mail: () => checkMail(env),
    redis: () => checkRedisServer(env),
  };
  const findings: CheckupFinding[] = [];
  for (const [about, look] of Object.entries(looks)) {
    const found = await look().catch(toErrorFinding);
    findings.push({ about, ...found });
  }
  return findings;
}

function toErrorFinding(error: unknown): Omit<CheckupFinding, 'about'> {
  if (error instanceof pg.DatabaseError && error.code === NO_TABLE_SQLSTATE)
    return warningFinding('empty; the first start fills it');
  return badFinding(error instanceof Error ? error.message : String(error));
}

interface DatabaseFacts {
  version: string;
  now: Date;
  is_replica: boolean;
  is_read_only: boolean;
  has_maintenance: boolean;
  used: number;
  most: number;
}

interface MaintenanceRow {
  reason: string;
  since: Date;
  held: number;
}

async function findMaintenance(pool: pg.Pool): Promise<MaintenanceRow | undefined> {
  const { rows } = await pool.query<MaintenanceRow>(
    'SELECT reason, since, (SELECT count(*) FROM held_delivery)::int AS held FROM maintenance',
  );
  return rows[0];
}

async function checkMaintenance(pool: pg.Pool) {
  const row = await findMaintenance(pool);
  if (!row) return goodFinding('off');
  const { reason, since, held } = row;
  return warningFinding(
    `on since ${since.toISOString()}: ${reason} Changes are refused, ${held} deliveries are held; \`npm run maintenance -- off\` ends it`,
  );
}

async function checkOwnDatabase(pool: pg.Pool) {
  const startedAt = Date.now();
  const { rows } = await pool.query<DatabaseFacts>(
    `SELECT current_setting('server_version') AS version, clock_timestamp() AS now, pg_is_in_recovery() AS is_replica,
       current_setting('transaction_read_only') = 'on' AS is_read_only, to_regclass('maintenance') IS NOT NULL AS has_maintenance,
       (SELECT count(*) FROM pg_stat_activity)::int AS used, current_setting('max_connections')::int AS most`,
  );
  const [row] = rows;
  if (!row) return badFinding('it does not answer');
  const { version, now, is_replica: isReplica, is_read_only: isReadOnly, used, most } = row;
  const skew = Math.abs(now.getTime() - (startedAt + Date.now()) / 2);
  if (isReplica) return badFinding('it is a read-only replica');
  if (isReadOnly && !(row.has_maintenance && (await findMaintenance(pool))))
    return badFinding('it is read-only, although no maintenance is on: look for default_transaction_read_only');
  if (skew > MAX_DATABASE_SKEW_MS) return badFinding(`its clock differs from this machine's by ${Math.round(skew)} ms`);
  const text = `PostgreSQL ${version}, ${used} of ${most} connections in use`;
  return used > most * 0.8 ? warningFinding(text) : goodFinding(text);
}

async function checkSchema(pool: pg.Pool, folder: string) {
  const { rows } = await pool.query<{ name: string; is_done: boolean }>(
    'SELECT migration_name AS name, finished_at IS NOT NULL AS is_done FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const failed = rows.find(({ is_done: isDone }) => !isDone);
  if (failed) return badFinding(`the migration ${failed.name} failed half-way`);
  const done = new Set(rows.map(({ name }) => name));
  const known = listKnownMigrations(folder).map(({ name }) => name);
  const squashed = listSquashedNames(folder);
  const lacking = known.filter((name) => !squashed.has(name) && !done.has(name));
  if (lacking.length > 0)
    return warningFinding(`${lacking.length} migrations are pending; the next start applies them`);
  if ([...done].some((name) => !known.includes(name)))
    return warningFinding('it is newer than this version of the service');
  return goodFinding(`${done.size} migrations, all applied`);
}

async function checkWorkers(pool: pg.Pool) {
  const { rows } = await pool.query<{ alive: number; waiting: number; seconds: number | null }>(
    `SELECT (SELECT count(*) FROM worker WHERE lease_until > now())::int AS alive,
       count(*)::int AS waiting, extract(epoch FROM now() - min(available_at))::float AS seconds
     FROM execution WHERE worker_id IS NULL AND available_at <= now()`,
  );
  const { alive = 0, waiting = 0, seconds = 0 } = rows[0] ?? {};
  const text = `${alive} at work, ${waiting} runs waiting`;
  if (alive === 0) return warningFinding(`${text}; start one (ROLE=worker or all)`);
  return (seconds ?? 0) > MAX_RUN_WAIT_SECONDS
    ? warningFinding(`${text}, the first for ${Math.round(seconds ?? 0)} s`)
    : goodFinding(text);
}

async function checkKeys(env: ServiceEnv, pool: pg.Pool) {
  const unreadable: string[] = [];
  let openedCount = 0;
  for (const { table, column, key, boundTo, keys } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ key: string; bound_to: string; value: string }>(
      `SELECT ${key} AS key, ${boundTo} AS bound_to, ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL
       AND ${column} <> '' LIMIT ${SEALED_SAMPLE_SIZE}`,
    );
    for (const row of rows) {
      try {
        openSealedText(row.value, row.bound_to, env[keys]);
        openedCount += 1;
      } catch {
        unreadable.push(`${table} ${row.key}`);
      }
    }
  }
  if (unreadable.length > 0)
    return badFinding(`no configured key opens ${unreadable.length} secrets, the first is ${unreadable[0]}`);
  return goodFinding(openedCount === 0 ? 'nothing is encrypted yet' : `${openedCount} secrets tried, all of them open`);
}

async function checkMail({ smtpUrl, deploymentEnv }: ServiceEnv) {
  if (!smtpUrl) {
    const isOutbox = deploymentEnv === 'development';
    return isOutbox
      ? goodFinding('no SMTP_URL: mail lands in the outbox')
      : warningFinding('no SMTP_URL: mail cannot be sent');
  }
  const transport = nodemailer.createTransport(smtpUrl);
  try {
    await transport.verify();
    return goodFinding(`${new URL(smtpUrl).host} accepts the credentials`);
  } finally {
    transport.close();
  }
}

async function checkRedisServer({ redisUrl }: ServiceEnv) {
  if (!redisUrl) return goodFinding('not configured; processes wake each other through PostgreSQL');
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  // The connect attempt reports the error, too.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info('memory');
    const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1];
    return policy === 'noeviction'
      ? goodFinding('answers')
      : warningFinding(`its maxmemory-policy is ${policy}, not noeviction`);
  } finally {
    redis.disconnect();
  }
}
