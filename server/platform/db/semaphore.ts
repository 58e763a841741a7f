import { ApiProblem } from '@/server/platform/errors/problem';

const BUSY_RETRY_SECONDS = '5';

/** Counting semaphore with a FIFO queue: limits concurrency; waiting calls time out with a 503. */
export class CallSemaphore {
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
        reject(serviceBusyProblem());
      }, this.timeoutMs);
      this.waiting.push(go);
    });
  }
}

const serviceBusyProblem = () =>
  new ApiProblem('INTERNAL_ERROR', 'The service is too busy now. Try again later.', [], {
    status: 503,
    headers: { 'Retry-After': BUSY_RETRY_SECONDS },
  });
