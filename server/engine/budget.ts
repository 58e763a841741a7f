/** An amount of memory that many share; whoever asks for more than is free waits for its turn. */
export class Budget {
  private free: number;
  private readonly queue: { bytes: number; grant: () => void }[] = [];

  constructor(private readonly total: number) {
    this.free = total;
  }

  /** Resolves when so much is free, and takes it; the answer gives it back. More than there is takes everything. */
  async take(wanted: number): Promise<() => void> {
    const bytes = Math.min(wanted, this.total);
    if (this.queue.length > 0 || bytes > this.free) {
      await new Promise<void>((grant) => this.queue.push({ bytes, grant }));
    } else this.free -= bytes;
    let isTaken = true;
    return () => {
      if (isTaken) this.give(bytes);
      isTaken = false;
    };
  }

  private give(bytes: number): void {
    this.free += bytes;
    for (let [next] = this.queue; next && next.bytes <= this.free; [next] = this.queue) {
      this.queue.shift();
      this.free -= next.bytes;
      next.grant();
    }
  }
}
