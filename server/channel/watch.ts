import type { ServerMessage } from '@/contract/channel';
import { hideLinks, seesLinks } from '@/server/access/links';
import { isPassingFailure } from '@/server/db/failures/verdict';
import { readersOf, type Identity } from './identity';
import { messages, START, type Page, type Progress } from './messages';
import { readPages, type PageRequest } from './pages';

/** A subscriber to one execution. */
export interface Watcher {
  readonly executionId: string;
  /** The current identity: a connection may renew its token. */
  identity(): Identity;
  /** Backpressure: false while earlier messages are still being sent; no more pages are read for this watcher then. */
  isReady(): boolean;
  deliver(messages: readonly ServerMessage[]): void;
  /** The execution does not exist, or this person may not see it (any more). The watch has ended. */
  refuse(): void;
}

export interface Watch {
  /** Sends the state so far, then changes, until the run is final or the returned function is called. */
  add(watcher: Watcher): () => void;
  /** The watcher can receive messages again. */
  wake(): void;
  /** These executions changed. */
  changed(executionIds: string[]): void;
  /** Notifications may have been lost. */
  lookAgain(): void;
  close(): Promise<void>;
}

/** Executions read by one statement. */
const BATCH = 50;

/** The watchers, their positions, and those with unread changes. */
class Watchers {
  readonly #byExecution = new Map<string, Set<Watcher>>();
  readonly #progress = new Map<Watcher, Progress>();
  readonly #stale = new Set<Watcher>();

  get isEmpty(): boolean {
    return this.#byExecution.size === 0;
  }

  get hasStale(): boolean {
    return this.#stale.size > 0;
  }

  /** Whether a watcher with unread changes can receive messages. */
  get hasReady(): boolean {
    return [...this.#stale].some((watcher) => watcher.isReady());
  }

  executionIds(): Iterable<string> {
    return this.#byExecution.keys();
  }

  progressOf(watcher: Watcher): Progress | undefined {
    return this.#progress.get(watcher);
  }

  add(watcher: Watcher): void {
    const others = this.#byExecution.get(watcher.executionId);
    if (others) others.add(watcher);
    else this.#byExecution.set(watcher.executionId, new Set([watcher]));
    this.#progress.set(watcher, START);
    this.#stale.add(watcher);
  }

  remove(watcher: Watcher): void {
    const others = this.#byExecution.get(watcher.executionId);
    others?.delete(watcher);
    if (others?.size === 0) this.#byExecution.delete(watcher.executionId);
    this.#progress.delete(watcher);
    this.#stale.delete(watcher);
  }

  invalidate(executionIds: Iterable<string>): void {
    for (const id of executionIds) for (const watcher of this.#byExecution.get(id) ?? []) this.#stale.add(watcher);
  }

  /** Takes the next watchers to read for. */
  nextBatch(): Watcher[] {
    const batch: Watcher[] = [];
    for (const watcher of this.#stale) {
      if (batch.length === BATCH) break;
      if (!watcher.isReady()) continue;
      this.#stale.delete(watcher);
      batch.push(watcher);
    }
    return batch;
  }

  /** Moves a watcher to its new position and sends the messages in between. */
  advance(watcher: Watcher, step: Step): void {
    if (step.after.isDone) this.remove(watcher);
    else this.#progress.set(watcher, step.after);
    if (!step.isLast) this.#stale.add(watcher);
    if (step.messages.length > 0) watcher.deliver(step.messages);
  }
}

/** Reads for a batch of watchers. Watchers with the same position share one read and one set of messages. */
async function read(watchers: Watchers, batch: readonly Watcher[]): Promise<void> {
  const requests = new Map<string, PageRequest>();
  const keys = batch.map((watcher) => {
    const { executionId } = watcher;
    const { revision } = watchers.progressOf(watcher) ?? START;
    const key = `${executionId} ${revision}`;
    requests.set(key, { executionId, revision });
    return key;
  });
  const [pages, readers] = await Promise.all([
    readPages([...requests.values()]),
    readersOf(
      'execution',
      batch.map((watcher) => ({ identity: watcher.identity(), id: watcher.executionId })),
    ),
  ]);
  const steps = new Map([...requests.keys()].map((key, index) => [key, stepsFrom(pages[index] ?? null)]));
  for (const [index, watcher] of batch.entries()) {
    const before = watchers.progressOf(watcher);
    if (!before) continue;
    const reader = readers[index];
    const step = reader ? steps.get(keys[index] ?? '')?.(before) : null;
    if (reader && step) watchers.advance(watcher, seesLinks(reader) ? step : withoutLinks(step));
    else {
      watchers.remove(watcher);
      watcher.refuse();
    }
  }
}

/**
 * Watches executions for any number of watchers, with one statement for all changed executions. Notifications only say
 * what to read; messages are derived from the rows. A lost notification costs at most `pollMs` and no message.
 */
export function openWatch({ pollMs = 2000, onError }: { pollMs?: number; onError(error: unknown): void }): Watch {
  const watchers = new Watchers();
  let reading: Promise<void> | undefined;
  let isClosed = false;

  const wake = () => {
    if (reading || isClosed || !watchers.hasStale) return;
    reading = readAll().then(
      () => {
        reading = undefined;
        // A watcher may have subscribed between the last read and now.
        if (watchers.hasReady) wake();
      },
      (error: unknown) => {
        reading = undefined;
        // The rows still exist: the poll reads them again.
        onError(error);
      },
    );
  };

  async function readAll(): Promise<void> {
    for (let batch = watchers.nextBatch(); batch.length > 0 && !isClosed; batch = watchers.nextBatch()) {
      await read(watchers, batch).catch(async (error: unknown) => {
        if (isPassingFailure(error)) throw error;
        // An execution in the batch cannot be read: retry one by one, so that the others do not wait for it.
        for (const watcher of batch) await read(watchers, [watcher]).catch(onError);
      });
    }
  }

  const invalidate = (executionIds: Iterable<string>) => {
    watchers.invalidate(executionIds);
    wake();
  };
  const lookAgain = () => invalidate(watchers.executionIds());
  const poll = setInterval(lookAgain, pollMs);
  poll.unref();

  return {
    add(watcher) {
      watchers.add(watcher);
      wake();
      return () => watchers.remove(watcher);
    },
    wake,
    changed: (executionIds) => {
      if (!watchers.isEmpty) invalidate(executionIds);
    },
    lookAgain,
    async close() {
      isClosed = true;
      clearInterval(poll);
      await reading;
    },
  };
}

type Step = ReturnType<typeof messages> & { isLast: boolean };

/** Cache by step: its messages without links that carry rights. */
const hiddenSteps = new WeakMap<Step, Step>();

function withoutLinks(step: Step): Step {
  let shown = hiddenSteps.get(step);
  if (!shown) hiddenSteps.set(step, (shown = { ...step, messages: hideLinks(step.messages) }));
  return shown;
}

/** Messages of a page, computed once per position; null without a page. */
function stepsFrom(page: Page | null): (before: Progress) => Step | null {
  const cached = new Map<Progress, Step>();
  return (before) => {
    if (!page) return null;
    const step = cached.get(before) ?? { isLast: page.isLast, ...messages(before, page) };
    cached.set(before, step);
    return step;
  };
}
