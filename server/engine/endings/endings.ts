import { log } from '@/server/log';
import { repeat } from '@/server/repeat';
import { cleanEnded } from './clean';
import { followEnded } from './follow';

const EVERY_MS = 1000;

/** Does what follows the ends of runs, as far as it is due. Answers how many it served. */
export async function followEndings(): Promise<number> {
  return (await followEnded()) + (await cleanEnded());
}

/**
 * The worker's loop for what follows the ends of runs. The statement that ends a run stores what is to follow, so that
 * nothing is lost when the process dies; several workers share the rows.
 */
export function startEndings(): { stop(): Promise<void> } {
  const round = repeat(
    async () => ((await followEndings()) > 0 ? 0 : EVERY_MS),
    EVERY_MS,
    (error) => log().error({ err: error }, 'what follows the ends of runs failed'),
  );
  round.now();
  return round;
}
