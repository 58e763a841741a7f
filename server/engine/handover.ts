import { runtime } from '../runtime';
import type { ClaimedRun } from './claim';

/** Places with one worker for runs that are about to be stored. */
export interface Places {
  /** The worker whose they will be, if their rows say so too. */
  workerId: string;
  /** The executions that have one. */
  ids: ReadonlySet<string>;
  /** To be called once: gives it those that are stored as its own; the other places are free again. */
  fill(runs: ClaimedRun[]): void;
}

/** A worker that can be handed runs as they are stored. */
export interface Taker {
  /** Keeps places for as many as there is room for; undefined: no room, or others are waiting for their turn. */
  keepPlaces(executionIds: string[]): Places | undefined;
}

/** Offers a worker's places to whoever stores runs in this process; answers how to withdraw them. */
export function offerPlaces(taker: Taker): () => void {
  const takers = (runtime().takers ??= new Set());
  takers.add(taker);
  return () => void takers.delete(taker);
}

/**
 * Places with a worker of this process. A run that is stored as a worker's own needs no notification and no claim, which
 * are a third of what a short run costs the database.
 */
export function placesFor(executionIds: string[]): Places | undefined {
  for (const taker of runtime().takers ?? []) {
    const places = taker.keepPlaces(executionIds);
    if (places) return places;
  }
  return undefined;
}
