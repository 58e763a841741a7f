import type { WriteCheckpoint } from './checkpoint';
import type { ChildTools } from './children';
import type { ReadWishes } from './wishes';

/** What a run is given by the worker that has it. */
export interface RunTools {
  checkpoint: WriteCheckpoint;
  readWishes: ReadWishes;
  children: ChildTools;
  /** Aborted when the worker has lost its lease: nothing may be written any more. */
  lost: AbortSignal;
  /** Nothing is left to do but to write down how it ended. */
  onEnding(): void;
}
