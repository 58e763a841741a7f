interface MemoryRequest {
  owner: string;
  bytes: number;
  grant: () => void;
}

/**
 * Counting semaphore over an amount of memory. Callers that request more than is free wait in FIFO order. No owner gets
 * more than three quarters of the total, so that an owner that holds memory for long cannot starve the others.
 */
export class FairSemaphore {
  private free: number;
  private readonly share: number;
  private readonly usedByOwner = new Map<string, number>();
  private queue: MemoryRequest[] = [];

  constructor(total: number) {
    this.free = total;
    this.share = (total * 3) / 4;
  }

  /** Acquires memory; the returned function releases it. A request above an owner's share acquires the whole share. */
  async acquire(owner: string, wanted: number): Promise<() => void> {
    const bytes = Math.min(wanted, this.share);
    await new Promise<void>((grant) => {
      this.queue.push({ owner, bytes, grant });
      this.grantAll();
    });
    let isTaken = true;
    return () => {
      if (isTaken) this.release(owner, bytes);
      isTaken = false;
    };
  }

  private release(owner: string, bytes: number): void {
    this.free += bytes;
    const left = (this.usedByOwner.get(owner) ?? 0) - bytes;
    if (left > 0) this.usedByOwner.set(owner, left);
    else this.usedByOwner.delete(owner);
    this.grantAll();
  }

  /** Grants requests in FIFO order. A request that exceeds its owner's share does not block other owners. */
  private grantAll(): void {
    let isNext = true;
    this.queue = this.queue.filter(({ owner, bytes, grant }) => {
      const ownerUsed = this.usedByOwner.get(owner) ?? 0;
      if (ownerUsed + bytes > this.share) return true;
      isNext &&= bytes <= this.free;
      if (!isNext) return true;
      this.free -= bytes;
      this.usedByOwner.set(owner, ownerUsed + bytes);
      grant();
      return false;
    });
  }
}
