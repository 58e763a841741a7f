import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';
import { removeEndedRunData } from './run-data-removal';
import { runDueFollowUps } from './follow-ups';

const RUN_ENDINGS_INTERVAL_MS = 1000;

/** Executes the follow-ups of ended runs that are due. Returns their number. */
export async function processRunEndings(): Promise<number> {
  return (await runDueFollowUps()) + (await removeEndedRunData());
}

/**
 * Starts the worker's loop for the follow-ups of ended runs. The statement that ends a run also stores its follow-ups,
 * so that none is lost when the process dies; several workers share the rows.
 */
export function startRunEndingLoop(): { stop(): Promise<void> } {
  const round = repeatAction(
    async () => ((await processRunEndings()) > 0 ? 0 : RUN_ENDINGS_INTERVAL_MS),
    RUN_ENDINGS_INTERVAL_MS,
    (error) => serviceLog().error({ err: error }, 'what follows the ends of runs failed'),
  );
  round.wake();
  return round;
}
