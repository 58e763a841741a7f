import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import { sealEntriesUncontended } from './chain';
import { pruneAuditEntries } from './retention';
import { flushSuppressedRefusals } from './refusals';

const SEAL_INTERVAL_MS = 1000;
const CLEANUP_INTERVAL_MS = 3_600_000;

/**
 * Stores suppressed refusals and seals the audit log every second. Once an hour it prunes the log and calls `sweep`,
 * which removes other expired rows. Every process may run it, because the work is guarded by advisory locks.
 */
export function startAuditMaintenance(sweep: () => Promise<void>): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let cleanedAt = 0;
  let round: Promise<void> = Promise.resolve();

  const attempt = async () => {
    try {
      await flushSuppressedRefusals();
      await sealEntriesUncontended();
      if (Date.now() - cleanedAt < CLEANUP_INTERVAL_MS) return;
      cleanedAt = Date.now();
      await pruneAuditEntries(getRuntime().env.auditLogRetentionDays);
      await sweep();
    } catch (error) {
      // The database is unavailable: the next round does the work.
      serviceLog().warn({ err: error }, 'the audit log could not be sealed');
    }
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = attempt().then(next);
    }, SEAL_INTERVAL_MS);
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
      await flushSuppressedRefusals(true).catch((error: unknown) =>
        serviceLog().warn({ err: error }, 'refusals could not be stored'),
      );
    },
  };
}
