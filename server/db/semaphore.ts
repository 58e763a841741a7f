import { Problem } from '@/server/errors/problem';

const RETRY_AFTER = '5';

/** Counting semaphore with a FIFO queue: limits concurrency; waiting calls time out with a 503. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(
    private free: number,
    private readonly timeoutMs: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        clearTimeout(timeout);
        resolve();
      };
      const timeout = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        reject(busy());
      }, this.timeoutMs);
      this.waiting.push(go);
    });
  }
}

const busy = () =>
  new Problem('INTERNAL_ERROR', 'The service is too busy now. Try again later.', [], {
    status: 503,
    headers: { 'Retry-After': RETRY_AFTER },
  });
