import { pool } from '@/server/db/client';
import { isReadOnlyFailure, sqlStateOf } from '@/server/db/failures/sql-state';
import { folderFault, temporaryFolder } from '@/server/files/disk';
import { isProcessDraining } from './draining';
import { log } from '@/server/log';
import { maintenance } from '@/server/maintenance';

/** Requests within this time share one check of the database, so that probes cause no load. */
const SHARED_MS = 1000;

const WRITE = `INSERT INTO stored_reply (scope, body_hash, reply) VALUES ('readyz', '', '')
  ON CONFLICT (scope) DO UPDATE SET created_at = now()`;

const DISK_FULL = '53100';

type Check = 'ok' | 'failed';
type Checks = Record<'database' | 'queue' | 'files', Check>;
/** Why a check failed, in words for operators. */
type Reasons = Partial<Record<keyof Checks, string>>;

interface Looked {
  checks: Checks;
  reasons: Reasons;
}

const answer = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });

/** GET /healthz: the process is up. */
export const healthz = async (): Promise<Response> => answer(200, { status: 'ok' });

/**
 * GET /readyz: the database accepts writes, the queue can be read, and the folder of files takes files; else 503 with the reasons. 503 when the process is stopping, too.
 * During maintenance reading is enough.
 */
export async function readyz(): Promise<Response> {
  if (isProcessDraining()) return answer(503, { status: 'stopping' });
  const { checks, reasons } = await sharedChecks();
  if (Object.keys(reasons).length > 0) return answer(503, { status: 'failed', checks, reasons });
  return answer(200, { status: 'ok', checks });
}

/** What /readyz answers while the process starts. */
export const starting = async (): Promise<Response> => answer(503, { status: 'starting' });

let shared: { at: number; checks: Promise<Looked> } | undefined;

function sharedChecks(): Promise<Looked> {
  if (!shared || Date.now() - shared.at > SHARED_MS) shared = { at: Date.now(), checks: lookAtAll() };
  return shared.checks;
}

async function lookAtAll(): Promise<Looked> {
  const entries = await Promise.all([
    // A committed write: a read-only or full database is not ready, except during maintenance.
    lookAt('database', () => databaseFault(maintenance() ? 'SELECT 1' : WRITE)),
    lookAt('queue', () =>
      databaseFault('SELECT id FROM execution WHERE worker_id IS NULL AND available_at <= now() LIMIT 1'),
    ),
    lookAt('files', filesFault),
  ]);
  const reasons: Reasons = {};
  for (const [name, reason] of entries) if (reason !== undefined) reasons[name] = reason;
  const state = (name: keyof Checks): Check => (reasons[name] === undefined ? 'ok' : 'failed');
  return { checks: { database: state('database'), queue: state('queue'), files: state('files') }, reasons };
}

async function lookAt(
  name: keyof Checks,
  look: () => Promise<string | undefined>,
): Promise<[keyof Checks, string | undefined]> {
  const reason = await look();
  if (reason !== undefined) log().warn({ check: name, reason }, 'not ready');
  return [name, reason];
}

async function databaseFault(sql: string): Promise<string | undefined> {
  try {
    await pool().query(sql);
    return undefined;
  } catch (error) {
    log().warn({ err: error }, 'a check of the database failed');
    if (isReadOnlyFailure(error)) return 'the database is read-only';
    return sqlStateOf(error) === DISK_FULL
      ? 'the disk of the database is full'
      : 'the database does not answer as it should';
  }
}

/** Files are received into a folder of this machine, wherever they are stored. */
async function filesFault(): Promise<string | undefined> {
  const fault = await folderFault(temporaryFolder());
  return fault && `the folder of files takes none: ${fault.reason}`;
}
