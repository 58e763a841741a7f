import { runtime } from '../runtime';
import type { Checkpoint } from './checkpoint';
import type { ClaimedRun } from './claim';

/** A place with a worker for a run that is about to be stored. */
export interface Place {
  /** The worker whose it will be, if its row says so too. */
  workerId: string;
  /** The run's first step, to be stored along with it; undefined: it has not come to one yet. */
  take(): Checkpoint | undefined;
  /** To be called once. True: it is stored as the worker's own; otherwise the place is free again. */
  settle(isHanded: boolean): void;
}

/** A worker that can be handed runs as they are stored. */
export interface Taker {
  /** Keeps a place for the run, which begins at once; undefined: no room, or others are waiting for their turn. */
  keepPlace(run: ClaimedRun): Place | undefined;
}

/** Offers a worker's places to whoever stores runs in this process; answers how to withdraw them. */
export function offerPlaces(taker: Taker): () => void {
  const takers = (runtime().takers ??= new Set());
  takers.add(taker);
  return () => void takers.delete(taker);
}

/**
 * A place with a worker of this process. A run that is stored as a worker's own needs no notification and no claim, and
 * what it comes to without anything from outside is stored with it: a short run is written once, whole.
 */
export function placeFor(run: ClaimedRun): Place | undefined {
  for (const taker of runtime().takers ?? []) {
    const place = taker.keepPlace(run);
    if (place) return place;
  }
  return undefined;
}
