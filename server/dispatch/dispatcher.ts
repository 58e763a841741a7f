import type { Listener } from '../db/listen';
import { runtime } from '../runtime';
import { postgresDispatcher } from './postgres';

/** What a worker process hears. */
export interface Ears {
  /** There may be runs to take. */
  onWork(): void;
  /** The same for one that is asked alone: resolves when it has looked. True: it took some, and could take more. */
  look(): Promise<boolean>;
  /** Somebody wants something of these runs: cancel them, or go on after a decision. */
  onWishes(executionIds: string[]): void;
  /** News may have been missed. */
  onGap(): void;
  /** Resolves when the worker could take a run, or stops. A worker that is full need not be told of any. */
  room(): Promise<void>;
}

/** What a process hears that shows people what happens. */
export interface Eyes {
  /** These executions changed. */
  onChanged(executionIds: string[]): void;
  /** Somebody came to these workflows, or went. */
  onVisited(workflowIds: string[]): void;
  /** News may have been missed. */
  onGap(): void;
}

/**
 * How the processes of a fleet wake each other. All of it is hints: the rows are the truth, a lost hint is found by a
 * poll, a doubled one loses the claim. Nothing here rejects or waits because hints can't get through.
 */
export interface Dispatcher {
  /** True: what is written is also notified, with its commit. False: its writer says so afterwards (`offer`, `changed`). */
  readonly isInDatabase: boolean;
  /** How long a lost hint may go unnoticed. */
  readonly pollMs: number;
  /** A run that is due within this time is waited for by the worker that saw it; later ones have a timer (`offer`). */
  readonly horizonMs: number;
  /** Runs may be taken: now, or from then on. */
  offer(at?: Date): void;
  /** These executions changed. */
  changed(executionIds: string[]): void;
  /** Somebody came to these workflows, or went. */
  visited(workflowIds: string[]): void;
  /** For workers. */
  attend(ears: Ears): Promise<Listener>;
  /** For whoever shows executions, and who looks at workflows. */
  watch(eyes: Eyes): Promise<Listener>;
  /** For the scheduler: at each full minute one process of the fleet hears it, or none (then it looks for itself). */
  everyMinute(onMinute: () => void): Promise<Listener>;
  close(): Promise<void>;
}

/** The one that `main` chose; PostgreSQL's if it chose none. */
export const dispatcher = (): Dispatcher => runtime().dispatcher ?? postgresDispatcher;
