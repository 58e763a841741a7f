import type { RunCheckpoint, WriteCheckpoint } from '../../store/checkpoint';
import type { SlotReservation } from './local-admission';

/**
 * - `computing`: the run computes its first step; nothing is stored.
 * - `offered`: the run is being stored, together with its first step if there is one.
 * - `stored`: the run is stored and assigned to this worker; further steps are written as usual.
 * - `discarded`: the run was not stored, or not for this worker; its writes are refused.
 */
type SpeculativeState = 'computing' | 'offered' | 'stored' | 'discarded';

/**
 * Speculative execution: a run computes while its row is being inserted. A run has no side effects before its first
 * step is written, so discarding it is safe. Occupies a slot of its worker.
 */
export class SpeculativeRun implements SlotReservation {
  private state: SpeculativeState = 'computing';
  private firstStep: RunCheckpoint | undefined;
  private resolve: (isStored: boolean) => void = () => {};
  private readonly isStored = new Promise<boolean>((resolve) => (this.resolve = resolve));
  private noteFirstStep: () => void = () => {};
  readonly hasFirstStep = new Promise<void>((resolve) => (this.noteFirstStep = resolve));

  /** `writeNext` writes the steps that follow the first one. */
  constructor(
    readonly workerId: string,
    private readonly writeNext: WriteCheckpoint,
  ) {}

  /** Writes a step: the first one together with the run, every other one after the run is stored. */
  readonly write: WriteCheckpoint = async (step) => {
    if (this.state === 'computing') {
      this.firstStep = step;
      this.noteFirstStep();
    }
    if (!(await this.isStored)) return 'refused';
    return step === this.firstStep ? 'written' : this.writeNext(step);
  };

  /** Returns the first step, to be stored with the run. Idempotent. */
  takeFirstStep(): RunCheckpoint | undefined {
    if (this.state === 'computing') this.state = 'offered';
    return this.firstStep;
  }

  confirm(isAssigned: boolean): void {
    this.state = isAssigned ? 'stored' : 'discarded';
    this.resolve(isAssigned);
  }
}
