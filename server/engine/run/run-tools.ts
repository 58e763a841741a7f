import type { LeaseCertainty } from '@/server/platform/timers/lease-clock';
import type { WriteCheckpoint } from '../store/checkpoint';
import type { CommitChange } from '../store/change';
import type { ChildRunTools } from '../queue/children';
import type { RunSignalReader } from '../queue/signals';

/** What a worker provides to its runs. */
export interface RunTools {
  checkpoint: WriteCheckpoint;
  commitChange: CommitChange;
  readSignals: RunSignalReader;
  children: ChildRunTools;
  /** Aborted when the worker has lost its lease: nothing may be written afterwards. */
  lost: AbortSignal;
  lease: LeaseCertainty;
  /** Called when only the final checkpoint is left to write. */
  onEnding(): void;
}
