import { pool } from '@/server/db/client';
import { isProcessDraining } from './draining';
import { log } from '@/server/log';
import { maintenance } from '@/server/maintenance';

/** Requests within this time share one check of the database, so that probes cause no load. */
const SHARED_MS = 1000;

const WRITE = `INSERT INTO stored_reply (scope, body_hash, reply) VALUES ('readyz', '', '')
  ON CONFLICT (scope) DO UPDATE SET created_at = now()`;

type Check = 'ok' | 'failed';
type Checks = Record<'database' | 'queue', Check>;

const answer = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });

/** GET /healthz: the process is up. */
export const healthz = async (): Promise<Response> => answer(200, { status: 'ok' });

/**
 * GET /readyz: the database accepts writes and the queue can be read; else 503 with the same body. 503 when the process is stopping, too.
 * During maintenance reading is enough.
 */
export async function readyz(): Promise<Response> {
  if (isProcessDraining()) return answer(503, { status: 'stopping' });
  const checks = await sharedChecks();
  const isReady = Object.values(checks).every((check) => check === 'ok');
  return answer(isReady ? 200 : 503, { status: isReady ? 'ok' : 'failed', checks });
}

/** What /readyz answers while the process starts. */
export const starting = async (): Promise<Response> => answer(503, { status: 'starting' });

let shared: { at: number; checks: Promise<Checks> } | undefined;

function sharedChecks(): Promise<Checks> {
  if (!shared || Date.now() - shared.at > SHARED_MS) shared = { at: Date.now(), checks: lookAtAll() };
  return shared.checks;
}

async function lookAtAll(): Promise<Checks> {
  const [database, queue] = await Promise.all([
    // A committed write: a read-only or full database is not ready, except during maintenance.
    check(maintenance() ? 'SELECT 1' : WRITE),
    check('SELECT id FROM execution WHERE worker_id IS NULL AND available_at <= now() LIMIT 1'),
  ]);
  return { database, queue };
}

async function check(sql: string): Promise<Check> {
  try {
    await pool().query(sql);
    return 'ok';
  } catch (error) {
    log().warn({ err: error }, 'not ready');
    return 'failed';
  }
}
