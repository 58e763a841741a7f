import type { LeaseCertainty } from '@/server/lease-clock';
import type { WriteCheckpoint } from '../store/checkpoint';
import type { CommitChange } from '../store/change';
import type { ChildTools } from '../queue/children';
import type { ReadSignals } from '../queue/signals';

/** What a worker provides to its runs. */
export interface RunTools {
  checkpoint: WriteCheckpoint;
  commitChange: CommitChange;
  readSignals: ReadSignals;
  children: ChildTools;
  /** Aborted when the worker has lost its lease: nothing may be written afterwards. */
  lost: AbortSignal;
  lease: LeaseCertainty;
  /** Called when only the final checkpoint is left to write. */
  onEnding(): void;
}
