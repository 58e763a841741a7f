import { log } from '../log';
import { runtime } from '../runtime';
import { sealInTurn } from './audit-chain';
import { pruneEntries } from './audit-retention';
import { recordHeld } from './refusals';
import { sweepSignIns } from './sweep';

const SEAL_EVERY_MS = 1000;
const CLEAN_EVERY_MS = 3_600_000;

/**
 * Writes down refusals that were held back and seals the audit log each second, and once an hour removes what is past its time, there and from
 * the tables of sign-ins. Every process may run it: they take turns.
 */
export function startAuditKeeper(): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let cleanedAt = 0;
  let round: Promise<void> = Promise.resolve();

  const attempt = async () => {
    try {
      await recordHeld();
      await sealInTurn();
      if (Date.now() - cleanedAt < CLEAN_EVERY_MS) return;
      cleanedAt = Date.now();
      await pruneEntries(runtime().env.auditLogRetentionDays);
      await sweepSignIns();
    } catch (error) {
      // The database is away: the next round finds all that this one didn't do.
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
      await recordHeld(true).catch((error: unknown) => log().warn({ err: error }, 'refusals were not written down'));
    },
  };
}
