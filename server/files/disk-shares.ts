import { Problem } from '@/server/errors/problem';

const GIB = 1024 ** 3;

/** A part of the temporary place: at most `bytes` under this name at a time. */
export interface Share {
  name: string;
  bytes: number;
}

/** All temporary files of a process: unverified senders must not fill the disk. */
export const TEMPORARY_SHARE: Share = { name: 'all', bytes: 16 * GIB };

/** The share of a workspace. */
export const workspaceShare = (workspaceId: string): Share => ({ name: `workspace:${workspaceId}`, bytes: 2 * GIB });

const MIB = 1024 * 1024;

/** The shares of a sender that is not verified: of its network, of what it sends to, and of all such senders. */
export const unverifiedShares = (network: string, target: string): Share[] => [
  { name: `unverified:${network}`, bytes: 256 * MIB },
  { name: `unverified:${target}`, bytes: 512 * MIB },
  { name: 'unverified', bytes: 4096 * MIB },
];

const busy = () =>
  new Problem('RATE_LIMITED', 'Too many uploads are in progress. Try again later.', [], {
    headers: { 'Retry-After': '5' },
  });

/** Counts the bytes of temporary files by name. */
export class DiskShares {
  private readonly used = new Map<string, number>();

  /** `add` throws RATE_LIMITED if a share is used up; `end` gives everything back, once. */
  open(shares: readonly Share[]): { add(bytes: number): void; end(): void } {
    const taken = [TEMPORARY_SHARE, ...shares];
    let own = 0;
    return {
      add: (bytes) => {
        if (taken.some((share) => this.usedOf(share) + bytes > share.bytes)) throw busy();
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

  private usedOf({ name }: Share): number {
    return this.used.get(name) ?? 0;
  }
}
