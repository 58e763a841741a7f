import { getRuntime } from '@/server/platform/runtime';
import type { RunCheckpoint } from '../../store/checkpoint';
import type { ClaimedRun } from '../claim';

/** A slot of a worker for a run that is about to be stored. */
export interface SlotReservation {
  /** The worker to which the run is assigned if its row is stored with this id. */
  readonly workerId: string;
  /** Resolves when the first step is computed; never if it is computed after the run is stored. */
  readonly hasFirstStep: Promise<void>;
  /** The first step of the run, to be stored with it; undefined: it is not computed yet. */
  takeFirstStep(): RunCheckpoint | undefined;
  /** Called once. True: the run is stored and assigned to the worker; false: the slot is free again. */
  confirm(isAssigned: boolean): void;
}

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** The workers of this process. */
    localWorkers?: Set<LocalWorker>;
  }
}

/** A worker that accepts runs submitted in its own process. */
export interface LocalWorker {
  /** Reserves a slot and starts the run in it; undefined: no slot is free, or other runs wait for a slot. */
  reserveSlot(run: ClaimedRun): SlotReservation | undefined;
  isRunning(executionId: string): boolean;
  /** The number of runs that it executes now. */
  readonly runCount: number;
}

/** Offers a worker's slots to runs that are submitted in this process; the returned function withdraws them. */
export function offerWorkerSlots(worker: LocalWorker): () => void {
  const workers = (getRuntime().localWorkers ??= new Set());
  workers.add(worker);
  return () => void workers.delete(worker);
}

/** Whether a worker of this process executes the run now. */
export function isRunningHere(executionId: string): boolean {
  for (const worker of getRuntime().localWorkers ?? []) if (worker.isRunning(executionId)) return true;
  return false;
}

/**
 * Local admission: reserves a slot of a worker of this process. A run that is stored with its worker's id needs no
 * notification and no claim, and its first step is stored with it: a short run is written once, as a whole.
 */
export function reserveLocalSlot(run: ClaimedRun): SlotReservation | undefined {
  for (const worker of getRuntime().localWorkers ?? []) {
    const reservation = worker.reserveSlot(run);
    if (reservation) return reservation;
  }
  return undefined;
}
