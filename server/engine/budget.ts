interface Asking {
  owner: string;
  bytes: number;
  grant: () => void;
}

/**
 * An amount of memory that many share; whoever asks for more than is free waits for its turn. No owner gets more than
 * three quarters of it, so that one who keeps what it has for long leaves something for the others.
 */
export class Budget {
  private free: number;
  private readonly share: number;
  private readonly taken = new Map<string, number>();
  private queue: Asking[] = [];

  constructor(total: number) {
    this.free = total;
    this.share = (total * 3) / 4;
  }

  /** Resolves when so much is free, and takes it; the answer gives it back. More than a share takes a whole share. */
  async take(owner: string, wanted: number): Promise<() => void> {
    const bytes = Math.min(wanted, this.share);
    await new Promise<void>((grant) => {
      this.queue.push({ owner, bytes, grant });
      this.grantAll();
    });
    let isTaken = true;
    return () => {
      if (isTaken) this.give(owner, bytes);
      isTaken = false;
    };
  }

  private give(owner: string, bytes: number): void {
    this.free += bytes;
    const left = (this.taken.get(owner) ?? 0) - bytes;
    if (left > 0) this.taken.set(owner, left);
    else this.taken.delete(owner);
    this.grantAll();
  }

  /** In the order of asking; who waits for a share of its own to come back keeps nobody else waiting. */
  private grantAll(): void {
    let isNext = true;
    this.queue = this.queue.filter(({ owner, bytes, grant }) => {
      const had = this.taken.get(owner) ?? 0;
      if (had + bytes > this.share) return true;
      isNext &&= bytes <= this.free;
      if (!isNext) return true;
      this.free -= bytes;
      this.taken.set(owner, had + bytes);
      grant();
      return false;
    });
  }
}
