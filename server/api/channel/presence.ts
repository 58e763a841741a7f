import type { PointerFrame, PointerUpdate, PresenceUpdate as PresenceMessage, WorkflowHint } from '@/contract/channel';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { generateId } from '@/server/platform/db/ids';
import { findPermittedReaders, type ChannelIdentity } from './identity';
import { parsePointerMessage, pointerElsewhere, PointerRounds } from './pointers';
import { deletePresenceRows, PRESENCE_LIFETIME_SECONDS, readPresentPeople, writePresenceRows } from './presence-rows';

/** The kinds of messages without data to those present at a workflow. */
export type WorkflowHintType = WorkflowHint['type'];

/** One connection that has a workflow open. */
export interface PresenceListener {
  readonly workflowId: string;
  identity(): ChannelIdentity;
  /** Backpressure: false while earlier messages are still being sent. */
  isReady(): boolean;
  deliver(people: PresenceMessage['people']): void;
  /** Somebody else points at something. */
  point(pointer: PointerUpdate): void;
  /** Something about the workflow has to be read again. */
  hint(hint: WorkflowHintType): void;
  /** The workflow does not exist, or this person may not see it (any more). The subscription has ended. */
  refuse(): void;
}

/** The subscription of a connection to a workflow. */
export interface PresenceVisit {
  /** Shows the others where this person points. */
  point(frame: PointerFrame): void;
  leave(): void;
}

export interface WorkflowPresence {
  /** Subscribes to a workflow's list of people. */
  join(listener: PresenceListener): PresenceVisit;
  /** A message of any process: somebody points at something. */
  pointed(message: string): void;
  /** The people at these workflows changed. */
  changed(workflowIds: string[]): void;
  /** Tells those present at these workflows that something has to be read again. */
  hint(hint: WorkflowHintType, workflowIds: string[]): void;
  /** Notifications may have been lost. */
  recheckAll(): void;
  close(): Promise<void>;
}

/** Interval in which rows are renewed and read without a notification: a third of a row's lifetime. */
const PRESENCE_INTERVAL_MS = (PRESENCE_LIFETIME_SECONDS * 1000) / 3;

/** The row of a subscriber, and the list that it received last, as text. */
interface PresenceEntry {
  id: string;
  isWritten: boolean;
  lastList: string;
  /** Others are there, too. Nobody is told where the only person points. */
  hasCompany: boolean;
}

type PresenceSubscriber = [PresenceListener, PresenceEntry];

/** The subscribers of this process, and the changes that the next round writes and reads. */
class PresenceSubscribers {
  readonly #byWorkflow = new Map<string, Map<PresenceListener, PresenceEntry>>();
  readonly #removed = new Map<string, string>();
  readonly #stale = new Set<string>();

  get hasChanges(): boolean {
    return this.#stale.size > 0 || this.#removed.size > 0;
  }

  has(listener: PresenceListener): boolean {
    return this.entry(listener) !== undefined;
  }

  entry(listener: PresenceListener): PresenceEntry | undefined {
    return this.#byWorkflow.get(listener.workflowId)?.get(listener);
  }

  workflowIds(): Iterable<string> {
    return this.#byWorkflow.keys();
  }

  add(listener: PresenceListener): void {
    const others = this.#byWorkflow.get(listener.workflowId) ?? new Map<PresenceListener, PresenceEntry>();
    this.#byWorkflow.set(
      listener.workflowId,
      others.set(listener, { id: generateId('vis'), isWritten: false, lastList: '', hasCompany: false }),
    );
  }

  /** Returns false for a listener that is removed already. */
  remove(listener: PresenceListener): boolean {
    const others = this.#byWorkflow.get(listener.workflowId);
    const entry = others?.get(listener);
    if (!others || !entry) return false;
    others.delete(listener);
    if (others.size === 0) this.#byWorkflow.delete(listener.workflowId);
    this.#removed.set(entry.id, listener.workflowId);
    return true;
  }

  invalidate(workflowIds: Iterable<string>): void {
    for (const id of workflowIds) if (this.#byWorkflow.has(id)) this.#stale.add(id);
  }

  /** Takes the changes: removed rows with their workflows, and the workflows to read. */
  takeChanges(): { removed: Map<string, string>; workflowIds: string[] } {
    const changes = { removed: new Map(this.#removed), workflowIds: [...this.#stale] };
    this.#removed.clear();
    this.#stale.clear();
    return changes;
  }

  at(workflowIds: readonly string[]): PresenceSubscriber[] {
    return workflowIds.flatMap((id) => [...(this.#byWorkflow.get(id) ?? [])]);
  }

  /** Ids of all rows of this process. */
  rowIds(): string[] {
    const entries = [...this.#byWorkflow.values()].flatMap((here) => [...here.values()]);
    return [...this.#removed.keys(), ...entries.map(({ id }) => id)];
  }
}

/**
 * One round: writes the changes of this process, and sends the lists of the changed workflows. `isBeat`: also renews
 * all rows and deletes expired ones. `refuse` ends the subscription of a user who may not read the workflow.
 */
async function runPresenceRound(
  subscribers: PresenceSubscribers,
  isBeat: boolean,
  refuse: (listener: PresenceListener) => void,
): Promise<void> {
  const { removed, workflowIds } = subscribers.takeChanges();
  await deletePresenceRows([...removed.keys()], isBeat);
  const all = subscribers.at(workflowIds);
  const allowed = await findPermittedReaders(
    'workflow',
    all.map(([listener]) => ({ identity: listener.identity(), id: listener.workflowId })),
  );
  for (const [index, [listener]] of all.entries()) if (!allowed[index]) refuse(listener);
  const admitted = all.filter((_, index) => allowed[index]);
  const added = admitted.filter(([, { isWritten }]) => !isWritten);
  await writePresenceRows((isBeat ? admitted : added).map(toPresenceRow));
  for (const [, entry] of added) entry.isWritten = true;
  const changed = new Set([...removed.values(), ...added.map(([{ workflowId }]) => workflowId)]);
  if (changed.size > 0) currentDispatcher().presenceChanged([...changed]);
  const people = await readPresentPeople(workflowIds);
  for (const [listener, entry] of admitted) {
    if (subscribers.has(listener)) sendPresenceList(listener, entry, people.get(listener.workflowId) ?? []);
  }
}

/** Sends a list unless the listener has it already, or cannot receive messages now. */
function sendPresenceList(listener: PresenceListener, entry: PresenceEntry, people: PresenceMessage['people']): void {
  const list = JSON.stringify(people);
  entry.hasCompany = people.length > 1;
  if (list === entry.lastList || !listener.isReady()) return;
  entry.lastList = list;
  listener.deliver(people);
}

const toPresenceRow = ([listener, { id }]: PresenceSubscriber) => ({
  id,
  workflowId: listener.workflowId,
  userId: listener.identity().userId,
});

/**
 * Who has which workflow open, over all processes: each process writes a row for each of its connections and renews
 * it, and all processes read the rows after a notification. One round runs at a time, so the number of queries is
 * bounded when users join and leave repeatedly.
 */
export function startPresence({
  beatMs = PRESENCE_INTERVAL_MS,
  onError,
}: {
  beatMs?: number;
  onError(error: unknown): void;
}): WorkflowPresence {
  const subscribers = new PresenceSubscribers();
  const pointers = new PointerRounds();
  let isBeatDue = false;
  let isClosed = false;
  let round: Promise<void> | undefined;

  const startRound = () => {
    if (round || isClosed || !subscribers.hasChanges) return;
    const isBeat = isBeatDue;
    isBeatDue = false;
    round = runPresenceRound(subscribers, isBeat, refuse)
      // Nothing is lost: the next beat writes and reads everything again.
      .catch(onError)
      .then(() => {
        round = undefined;
        startRound();
      });
  };

  const changed = (workflowIds: Iterable<string>) => {
    subscribers.invalidate(workflowIds);
    startRound();
  };

  const remove = (listener: PresenceListener): boolean => {
    const isRemoved = subscribers.remove(listener);
    if (isRemoved) changed([listener.workflowId]);
    return isRemoved;
  };

  const refuse = (listener: PresenceListener) => {
    if (remove(listener)) listener.refuse();
  };

  const lookAgain = () => {
    isBeatDue = true;
    changed(subscribers.workflowIds());
  };
  const beat = setInterval(lookAgain, beatMs);
  beat.unref();

  return {
    join(listener) {
      subscribers.add(listener);
      changed([listener.workflowId]);
      const point = (frame: PointerFrame) => {
        const entry = subscribers.entry(listener);
        if (entry?.isWritten && entry.hasCompany) pointers.add(entry.id, listener.identity().userId, frame);
      };
      return {
        point,
        leave() {
          // The others stop showing this window at once.
          point(pointerElsewhere(listener.workflowId));
          remove(listener);
        },
      };
    },
    pointed(message) {
      const pointer = parsePointerMessage(message);
      if (!pointer) return;
      for (const [listener, { id, isWritten }] of subscribers.at([pointer.workflowId])) {
        if (isWritten && id !== pointer.connectionId && listener.isReady()) listener.point(pointer);
      }
    },
    changed,
    hint(hint, workflowIds) {
      // A row is written once the permission is checked.
      for (const [listener, { isWritten }] of subscribers.at(workflowIds)) {
        if (isWritten && listener.isReady()) listener.hint(hint);
      }
    },
    recheckAll: lookAgain,
    async close() {
      isClosed = true;
      clearInterval(beat);
      pointers.close();
      await round;
      await deletePresenceRows(subscribers.rowIds(), false).catch(onError);
    },
  };
}
