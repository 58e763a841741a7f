import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTransientFailure } from './failures/verdict';

interface QueuedItem<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions<Item> {
  /** Maximum number of items of one flush. */
  maxItems?: number;
  /** Maximum bytes of one flush, measured by `sizeOf`; a single heavier item is flushed alone. */
  maxBytes?: number;
  sizeOf?(item: Item): number;
}

/**
 * Group commit: items that arrive during a flush go together with the next one. `flush` writes all of them or none and
 * answers in their order; each caller's promise is fulfilled when its item is committed. If a flush fails, its halves
 * are tried separately, so that only the bad item fails; if the database is unavailable, all fail at once.
 */
export function groupCommit<Item, Answer>(
  flush: (items: Item[]) => Promise<Answer[]>,
  { maxItems = 1000, maxBytes = 16 * 1024 * 1024, sizeOf = () => 0 }: GroupCommitOptions<Item> = {},
): (item: Item) => Promise<Answer> {
  let queue: QueuedItem<Item, Answer>[] = [];
  let isFlushing = false;

  async function write(batch: QueuedItem<Item, Answer>[]): Promise<void> {
    try {
      const answers = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length === 1 || isTransientFailure(error)) return batch.forEach(({ reject }) => reject(error));
      const half = batch.length >> 1;
      await write(batch.slice(0, half));
      await write(batch.slice(half));
    }
  }

  function take(): QueuedItem<Item, Answer>[] {
    let bytes = 0;
    let count = 0;
    for (const { item } of queue) {
      bytes += sizeOf(item);
      if (count === maxItems || (count > 0 && bytes > maxBytes)) break;
      count += 1;
    }
    const batch = queue.slice(0, count);
    queue = queue.slice(count);
    return batch;
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Answers are delivered first, so that follow-up items of this turn of the event loop join the next flush.
      await nextTurn();
      await write(take());
    }
    isFlushing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (isFlushing) return;
      isFlushing = true;
      void drain();
    });
}
