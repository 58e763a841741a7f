import { log } from '@/server/log';
import { runtime } from '@/server/runtime';
import { sealInTurn } from './chain';
import { pruneEntries } from './retention';
import { flushSuppressed } from './refusals';

const SEAL_EVERY_MS = 1000;
const CLEAN_EVERY_MS = 3_600_000;

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
      await flushSuppressed();
      await sealInTurn();
      if (Date.now() - cleanedAt < CLEAN_EVERY_MS) return;
      cleanedAt = Date.now();
      await pruneEntries(runtime().env.auditLogRetentionDays);
      await sweep();
    } catch (error) {
      // The database is unavailable: the next round does the work.
      log().warn({ err: error }, 'the audit log could not be sealed');
    }
  };
  const next = () => {
    if (isStopped) return;
    timer = setTimeout(() => {
      round = attempt().then(next);
    }, SEAL_EVERY_MS);
  };
  next();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await round;
      await flushSuppressed(true).catch((error: unknown) => log().warn({ err: error }, 'refusals could not be stored'));
    },
  };
}
