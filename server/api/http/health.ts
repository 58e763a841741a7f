import { databasePool } from '@/server/platform/db/client';
import { isReadOnlyFailure, findSqlState } from '@/server/platform/db/failures/sql-state';
import { findFolderFault, temporaryFilesFolder } from '@/server/data/files/disk';
import { isProcessDraining } from './draining';
import { serviceLog } from '@/server/platform/log';
import { currentMaintenance } from '@/server/platform/maintenance';

/** Requests within this time share one check of the database, so that probes cause no load. */
const SHARED_CHECK_MS = 1000;

const WRITE_PROBE_STATEMENT = `INSERT INTO stored_reply (scope, body_hash, reply) VALUES ('readyz', '', '')
  ON CONFLICT (scope) DO UPDATE SET created_at = now()`;

const DISK_FULL_SQLSTATE = '53100';

type ReadinessResult = 'ok' | 'failed';
type ReadinessChecks = Record<'database' | 'queue' | 'files', ReadinessResult>;
/** Why a check failed, in words for operators. */
type ReadinessFailures = Partial<Record<keyof ReadinessChecks, string>>;

interface ReadinessReport {
  checks: ReadinessChecks;
  reasons: ReadinessFailures;
}

const healthResponse = (status: number, body: object) =>
  Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });

/** GET /healthz: the process is up. */
export const handleHealthz = async (): Promise<Response> => healthResponse(200, { status: 'ok' });

/**
 * GET /readyz: the database accepts writes, the queue can be read, and the folder of files takes files; else 503 with
 * the reasons. 503 when the process is stopping, too. During maintenance reading is enough.
 */
export async function handleReadyz(): Promise<Response> {
  if (isProcessDraining()) return healthResponse(503, { status: 'stopping' });
  const { checks, reasons } = await shareReadinessChecks();
  if (Object.keys(reasons).length > 0) return healthResponse(503, { status: 'failed', checks, reasons });
  return healthResponse(200, { status: 'ok', checks });
}

/** What /readyz answers while the process starts. */
export const handleReadyzAtStart = async (): Promise<Response> => healthResponse(503, { status: 'starting' });

let sharedReadiness: { at: number; checks: Promise<ReadinessReport> } | undefined;

function shareReadinessChecks(): Promise<ReadinessReport> {
  if (!sharedReadiness || Date.now() - sharedReadiness.at > SHARED_CHECK_MS)
    sharedReadiness = { at: Date.now(), checks: runReadinessChecks() };
  return sharedReadiness.checks;
}

async function runReadinessChecks(): Promise<ReadinessReport> {
  const entries = await Promise.all([
    // A committed write: a read-only or full database is not ready, except during maintenance.
    runReadinessCheck('database', () => findDatabaseFault(currentMaintenance() ? 'SELECT 1' : WRITE_PROBE_STATEMENT)),
    runReadinessCheck('queue', () =>
      findDatabaseFault('SELECT id FROM execution WHERE worker_id IS NULL AND available_at <= now() LIMIT 1'),
    ),
    runReadinessCheck('files', findFilesFault),
  ]);
  const reasons: ReadinessFailures = {};
  for (const [name, reason] of entries) if (reason !== undefined) reasons[name] = reason;
  const state = (name: keyof ReadinessChecks): ReadinessResult => (reasons[name] === undefined ? 'ok' : 'failed');
  return { checks: { database: state('database'), queue: state('queue'), files: state('files') }, reasons };
}

async function runReadinessCheck(
  name: keyof ReadinessChecks,
  look: () => Promise<string | undefined>,
): Promise<[keyof ReadinessChecks, string | undefined]> {
  const reason = await look();
  if (reason !== undefined) serviceLog().warn({ check: name, reason }, 'not ready');
  return [name, reason];
}

async function findDatabaseFault(sql: string): Promise<string | undefined> {
  try {
    await databasePool().query(sql);
    return undefined;
  } catch (error) {
    serviceLog().warn({ err: error }, 'a check of the database failed');
    if (isReadOnlyFailure(error)) return 'the database is read-only';
    return findSqlState(error) === DISK_FULL_SQLSTATE
      ? 'the disk of the database is full'
      : 'the database does not answer as it should';
  }
}

/** Files are received into a folder of this machine, wherever they are stored. */
async function findFilesFault(): Promise<string | undefined> {
  const fault = await findFolderFault(temporaryFilesFolder());
  return fault && `the folder of files takes none: ${fault.reason}`;
}
