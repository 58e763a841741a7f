import type { SocketServerMessage } from '@/contract/channel';
import { hideLinksInValue, maySeeLinks } from '@/server/people/access/links';
import { isTransientFailure } from '@/server/platform/db/failures/verdict';
import { findPermittedReaders, type ChannelIdentity } from './identity';
import { updateMessages, INITIAL_PROGRESS, type RunChanges, type WatchProgress } from './messages';
import { readRunPages, type RunPageRequest } from './pages';

/** A subscriber to one execution. */
export interface RunWatcher {
  readonly executionId: string;
  /** The current identity: a connection may renew its token. */
  identity(): ChannelIdentity;
  /** Backpressure: false while earlier messages are still being sent; no more pages are read for this watcher then. */
  isReady(): boolean;
  deliver(messages: readonly SocketServerMessage[]): void;
  /** The execution does not exist, or this person may not see it (any more). The watch has ended. */
  refuse(): void;
}

export interface RunWatch {
  /** Sends the state so far, then changes, until the run is final or the returned function is called. */
  add(watcher: RunWatcher): () => void;
  /** The watcher can receive messages again. */
  wake(): void;
  /** These executions changed. */
  changed(executionIds: string[]): void;
  /** Notifications may have been lost. */
  recheckAll(): void;
  close(): Promise<void>;
}

/** Executions read by one statement. */
const WATCH_BATCH_SIZE = 50;

/** The watchers, their positions, and those with unread changes. */
class RunWatchers {
  readonly #byExecution = new Map<string, Set<RunWatcher>>();
  readonly #progress = new Map<RunWatcher, WatchProgress>();
  readonly #stale = new Set<RunWatcher>();

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

  progressOf(watcher: RunWatcher): WatchProgress | undefined {
    return this.#progress.get(watcher);
  }

  add(watcher: RunWatcher): void {
    const others = this.#byExecution.get(watcher.executionId);
    if (others) others.add(watcher);
    else this.#byExecution.set(watcher.executionId, new Set([watcher]));
    this.#progress.set(watcher, INITIAL_PROGRESS);
    this.#stale.add(watcher);
  }

  remove(watcher: RunWatcher): void {
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
  nextBatch(): RunWatcher[] {
    const batch: RunWatcher[] = [];
    for (const watcher of this.#stale) {
      if (batch.length === WATCH_BATCH_SIZE) break;
      if (!watcher.isReady()) continue;
      this.#stale.delete(watcher);
      batch.push(watcher);
    }
    return batch;
  }

  /** Moves a watcher to its new position and sends the messages in between. */
  advance(watcher: RunWatcher, step: WatchStep): void {
    if (step.after.isDone) this.remove(watcher);
    else this.#progress.set(watcher, step.after);
    if (!step.isLast) this.#stale.add(watcher);
    if (step.messages.length > 0) watcher.deliver(step.messages);
  }
}

/** Reads for a batch of watchers. Watchers with the same position share one read and one set of messages. */
async function readForWatchers(watchers: RunWatchers, batch: readonly RunWatcher[]): Promise<void> {
  const requests = new Map<string, RunPageRequest>();
  const keys = batch.map((watcher) => {
    const { executionId } = watcher;
    const { revision } = watchers.progressOf(watcher) ?? INITIAL_PROGRESS;
    const key = `${executionId} ${revision}`;
    requests.set(key, { executionId, revision });
    return key;
  });
  const [pages, readers] = await Promise.all([
    readRunPages([...requests.values()]),
    findPermittedReaders(
      'execution',
      batch.map((watcher) => ({ identity: watcher.identity(), id: watcher.executionId })),
    ),
  ]);
  const steps = new Map([...requests.keys()].map((key, index) => [key, pageSteps(pages[index] ?? null)]));
  for (const [index, watcher] of batch.entries()) {
    const before = watchers.progressOf(watcher);
    if (!before) continue;
    const reader = readers[index];
    const step = reader ? steps.get(keys[index] ?? '')?.(before) : null;
    if (reader && step) watchers.advance(watcher, maySeeLinks(reader) ? step : hideStepLinks(step));
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
export function startRunWatch({
  pollMs = 2000,
  onError,
}: {
  pollMs?: number;
  onError(error: unknown): void;
}): RunWatch {
  const watchers = new RunWatchers();
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
      await readForWatchers(watchers, batch).catch(async (error: unknown) => {
        if (isTransientFailure(error)) throw error;
        // An execution in the batch cannot be read: retry one by one, so that the others do not wait for it.
        for (const watcher of batch) await readForWatchers(watchers, [watcher]).catch(onError);
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
    recheckAll: lookAgain,
    async close() {
      isClosed = true;
      clearInterval(poll);
      await reading;
    },
  };
}

type WatchStep = ReturnType<typeof updateMessages> & { isLast: boolean };

/** Cache by step: its messages without links that carry rights. */
const stepsWithoutLinks = new WeakMap<WatchStep, WatchStep>();

function hideStepLinks(step: WatchStep): WatchStep {
  let shown = stepsWithoutLinks.get(step);
  if (!shown) stepsWithoutLinks.set(step, (shown = { ...step, messages: hideLinksInValue(step.messages) }));
  return shown;
}

/** Messages of a page, computed once per position; null without a page. */
function pageSteps(page: RunChanges | null): (before: WatchProgress) => WatchStep | null {
  const cached = new Map<WatchProgress, WatchStep>();
  return (before) => {
    if (!page) return null;
    const step = cached.get(before) ?? { isLast: page.isLast, ...updateMessages(before, page) };
    cached.set(before, step);
    return step;
  };
}
