import { setTimeout as pause } from 'node:timers/promises';
import { classifyDatabaseFailure } from './verdict';

const MAX_COLLISION_ATTEMPTS = 5;
/** Upper limit of the random pause before the second attempt; doubled for each further one. */
const COLLISION_PAUSE_MS = 50;

/**
 * Runs a whole transaction, or a statement that is one, again if it collided with another (deadlock, lock timeout). For
 * work that must not fail because runs of the same rows are written meanwhile. The pause is random, so that two of them
 * do not collide again.
 */
export async function retryCollision<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_COLLISION_ATTEMPTS || classifyDatabaseFailure(error) !== 'collision') throw error;
      await pause(Math.random() * COLLISION_PAUSE_MS * 2 ** attempt);
    }
  }
}
