import type { Checkpoint, WriteCheckpoint } from './checkpoint';

/**
 * Writes the steps of a run that begins before it is stored. Its first step, if it has come to one by then, is stored
 * along with it; every other waits until the run is stored, and goes on from there. Nothing leaves a run before its
 * first step is written, so a run that isn't stored after all was only a computation.
 */
export class HeadStart {
  private first: Checkpoint | undefined;
  private isTaken = false;
  private settle: (isHanded: boolean) => void = () => {};
  private readonly settled = new Promise<boolean>((resolve) => (this.settle = resolve));

  /** `next` writes what comes after the run is stored. */
  constructor(private readonly next: WriteCheckpoint) {}

  readonly write: WriteCheckpoint = async (step) => {
    if (!this.isTaken) this.first = step;
    if (!(await this.settled)) return 'refused';
    return step === this.first ? 'written' : this.next(step);
  };

  /** The step that is to be stored along: the same however often it is asked for. */
  take(): Checkpoint | undefined {
    this.isTaken = true;
    return this.first;
  }

  /** To be called once. True: the run is stored as this worker's, along with the step that was taken. */
  end(isHanded: boolean): void {
    this.settle(isHanded);
  }
}
