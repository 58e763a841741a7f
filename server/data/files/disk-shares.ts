import { ApiProblem } from '@/server/platform/errors/problem';
import { BYTES_PER_MIB } from '@/contract/units';

const BYTES_PER_GIB = 1024 ** 3;

/** A part of the temporary place: at most `bytes` under this name at a time. */
export interface DiskShare {
  name: string;
  bytes: number;
}

/** All temporary files of a process: unverified senders must not fill the disk. */
export const ALL_TEMPORARY_SHARE: DiskShare = { name: 'all', bytes: 16 * BYTES_PER_GIB };

/** The share of a workspace. */
export const workspaceDiskShare = (workspaceId: string): DiskShare => ({
  name: `workspace:${workspaceId}`,
  bytes: 2 * BYTES_PER_GIB,
});

/** The shares of a sender that is not verified: of its network, of what it sends to, and of all such senders. */
export const unverifiedSenderShares = (network: string, target: string): DiskShare[] => [
  { name: `unverified:${network}`, bytes: 256 * BYTES_PER_MIB },
  { name: `unverified:${target}`, bytes: 512 * BYTES_PER_MIB },
  { name: 'unverified', bytes: 4096 * BYTES_PER_MIB },
];

const uploadsBusyProblem = () =>
  new ApiProblem('RATE_LIMITED', 'Too many uploads are in progress. Try again later.', [], {
    headers: { 'Retry-After': '5' },
  });

/** Counts the bytes of temporary files by name. */
export class DiskShares {
  private readonly used = new Map<string, number>();

  /** `add` throws RATE_LIMITED if a share is used up; `end` gives everything back, once. */
  open(shares: readonly DiskShare[]): { add(bytes: number): void; end(): void } {
    const taken = [ALL_TEMPORARY_SHARE, ...shares];
    let own = 0;
    return {
      add: (bytes) => {
        if (taken.some((share) => this.usedOf(share) + bytes > share.bytes)) throw uploadsBusyProblem();
        for (const share of taken) this.used.set(share.name, this.usedOf(share) + bytes);
        own += bytes;
      },
      end: () => {
        for (const share of taken) {
          const rest = this.usedOf(share) - own;
          if (rest > 0) this.used.set(share.name, rest);
          else this.used.delete(share.name);
        }
        own = 0;
      },
    };
  }

  private usedOf({ name }: DiskShare): number {
    return this.used.get(name) ?? 0;
  }
}
