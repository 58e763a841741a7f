import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The connections of a workspace that are open, and those that wait. */
interface WorkspaceSlots {
  count: number;
  waiting: (() => void)[];
}

/** The node was stopped. */
export const remoteStoppedFailure = () => new NodeFailure('ABORTED', 'The node was stopped.', false);

/** A semaphore for each workspace: none waits for the connections of another. */
export class WorkspaceSemaphores {
  private readonly shares = new Map<string, WorkspaceSlots>();

  /** `most`: connections of a workspace at a time. */
  constructor(private readonly most: number) {}

  /** Waits until the workspace may open a connection, and returns what ends the turn. Throws NodeFailure ABORTED. */
  async take(workspaceId: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw remoteStoppedFailure();
    const share = this.shares.get(workspaceId) ?? { count: 0, waiting: [] };
    this.shares.set(workspaceId, share);
    if (share.count < this.most) share.count += 1;
    else await waitForRemoteSlot(share, signal);
    return () => this.end(workspaceId, share);
  }

  /** The connections of this process. */
  get open(): number {
    return [...this.shares.values()].reduce((sum, { count }) => sum + count, 0);
  }

  private end(workspaceId: string, share: WorkspaceSlots): void {
    const next = share.waiting.shift();
    if (next) return next();
    share.count -= 1;
    if (share.count === 0) this.shares.delete(workspaceId);
  }
}

/** Resolves when a turn has ended, which passes on. */
function waitForRemoteSlot(share: WorkspaceSlots, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      share.waiting = share.waiting.filter((one) => one !== begin);
      reject(remoteStoppedFailure());
    };
    signal.addEventListener('abort', leave, { once: true });
    share.waiting.push(begin);
  });
}
