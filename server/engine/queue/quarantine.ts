import { databasePool } from '@/server/platform/db/client';
import type { ClaimedRun } from './claim';
import { MAX_RUN_CRASHES } from './lease';
import { KNOWN_ABILITIES } from '@/server/workflow/definition/abilities';
import { versionName, type VersionRef } from '@/server/workflow/definition/versions';

/** How long all runs of a version are isolated after an isolated run of this version killed its process. */
const VERSION_ISOLATION_PERIOD = '1 hour';
/** A starting worker waits at most this long for a run that may have killed a process to begin in isolation. */
const CRASH_RECOVERY_PERIOD = '5 seconds';

/** How long after a crash runs are stored before they start: senders retry unanswered requests within this time. */
const STORE_FIRST_PERIOD_MS = 600_000;
/**
 * A starting worker claims runs after this time at the latest, also while the row of a lost worker cannot be removed.
 */
const MAX_RECOVERY_MS = 8000;
/** Poll interval of a starting worker until it may claim runs. */
export const RECOVERY_POLL_MS = 250;

/** False: the run has used up its attempts and only has to be ended. */
export const hasAttemptsLeft = ({ crashCount }: Pick<ClaimedRun, 'crashCount'>): boolean =>
  crashCount < MAX_RUN_CRASHES;

/** Knows which workflow versions have runs that killed worker processes. */
export class CrashQuarantine {
  private versions: ReadonlySet<string> = new Set();
  private isRecovered = false;
  private readonly startedAt = performance.now();
  private readonly speculativeFrom: number;

  /** `isAfterCrash`: the previous process died, possibly because of a run that was not stored yet. */
  constructor(isAfterCrash: boolean) {
    this.speculativeFrom = isAfterCrash ? performance.now() + STORE_FIRST_PERIOD_MS : 0;
  }

  /**
   * False: runs are stored before they start, so that the crash is counted in the row of a run that kills the process.
   */
  get allowsSpeculativeRuns(): boolean {
    return performance.now() >= this.speculativeFrom;
  }

  /** Reads the workflow versions of which a run killed its process while it was isolated. */
  async refresh(): Promise<void> {
    const { rows } = await databasePool().query<{ workflow_id: string; workflow_version: number }>({
      name: 'engine.crashing-versions',
      text: `SELECT DISTINCT workflow_id, workflow_version FROM execution
        WHERE died_at > now() - interval '${VERSION_ISOLATION_PERIOD}' AND (deaths >= ${MAX_RUN_CRASHES} OR deaths > 1 AND completed_at IS NULL)`,
    });
    this.versions = new Set(rows.map((row) => versionName(row.workflow_id, row.workflow_version)));
  }

  /**
   * True for a version of which a run killed its process while it was isolated. All its runs are isolated then, so that
   * repeated calls of a webhook do not kill a worker each time.
   */
  includes({ workflowId, workflowVersion }: VersionRef): boolean {
    return this.versions.size > 0 && this.versions.has(versionName(workflowId, workflowVersion));
  }

  /** False while it is unknown which run killed a recently lost worker process. Once true, it stays true. */
  async isRecoveryDone(): Promise<boolean> {
    if (this.isRecovered) return true;
    const { rows } = await databasePool().query<{ is_recovering: boolean }>(
      `SELECT EXISTS (SELECT FROM worker WHERE lease_until < now())
        OR EXISTS (SELECT FROM execution WHERE died_at > now() - interval '${CRASH_RECOVERY_PERIOD}' AND deaths = 1
          AND (worker_id IS NOT NULL OR available_at <= now())) AS is_recovering`,
    );
    const isLate = performance.now() - this.startedAt > MAX_RECOVERY_MS;
    if (rows[0]?.is_recovering !== false && !isLate) return false;
    await this.refresh();
    return (this.isRecovered = true);
  }
}

/** Whether a run that has to be isolated is due. */
export async function isIsolatedRunDue(): Promise<boolean> {
  const { rows } = await databasePool().query<{ is_due: boolean }>({
    name: 'engine.alone-due',
    text: `SELECT EXISTS (SELECT FROM execution WHERE worker_id IS NULL AND available_at <= now() AND is_alone
      AND required_abilities & ~$1::int = 0) AS is_due`,
    values: [KNOWN_ABILITIES],
  });
  return rows[0]?.is_due === true;
}
