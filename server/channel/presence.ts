import type { Presence as Told } from '@/contract/channel';
import { dispatcher } from '../dispatch/dispatcher';
import { newId } from '../db/ids';
import { maySee, type Identity } from './identity';
import { forget, LIFE_SECONDS, readPeople, write } from './visits';

/** One connection that has a workflow open. */
export interface Visitor {
  readonly workflowId: string;
  identity(): Identity;
  /** False while what was sent before is still on its way. */
  isReady(): boolean;
  tell(people: Told['people']): void;
  /** The workflow is gone, or no longer (or never was) this person's to see. The visit is over. */
  refuse(): void;
}

export interface Presence {
  /** Begins a visit, and tells who is there until the answer is called. */
  enter(visitor: Visitor): () => void;
  /** Somebody came to these workflows, or went. */
  visited(workflowIds: string[]): void;
  /** News may have been missed. */
  lookAgain(): void;
  close(): Promise<void>;
}

/** How often visits are renewed, and looked at without any news: a third of how long one lasts without. */
const BEAT_MS = (LIFE_SECONDS * 1000) / 3;

interface Stay {
  id: string;
  isWritten: boolean;
  /** What the visitor was told last, as text. */
  told: string;
}

/**
 * Who is at which workflow, over all processes: each writes a row for each of its visitors and renews it, and all read
 * them where they are told that somebody came or went. One round is under way at a time, so however fast people come and
 * go, a process asks the database no more than that.
 */
export function openPresence({
  beatMs = BEAT_MS,
  onError,
}: {
  beatMs?: number;
  onError(error: unknown): void;
}): Presence {
  const visitors = new Map<string, Map<Visitor, Stay>>();
  const left = new Map<string, string>();
  const stale = new Set<string>();
  let isDue = false;
  let isClosed = false;
  let settling: Promise<void> | undefined;

  const settle = () => {
    if (settling || isClosed || (stale.size === 0 && left.size === 0)) return;
    settling = round()
      // Nothing is lost by it: the next beat writes and reads everything anew.
      .catch(onError)
      .then(() => {
        settling = undefined;
        settle();
      });
  };

  const visited = (workflowIds: Iterable<string>) => {
    for (const id of workflowIds) if (visitors.has(id)) stale.add(id);
    settle();
  };

  const remove = (visitor: Visitor) => {
    const here = visitors.get(visitor.workflowId);
    const stay = here?.get(visitor);
    if (!here || !stay) return;
    here.delete(visitor);
    if (here.size === 0) visitors.delete(visitor.workflowId);
    left.set(stay.id, visitor.workflowId);
    visited([visitor.workflowId]);
  };

  async function round(): Promise<void> {
    const [gone, ids, isBeat] = [new Map(left), [...stale], isDue];
    left.clear();
    stale.clear();
    isDue = false;
    await forget([...gone.keys()], isBeat);
    const all = ids.flatMap((id) => [...(visitors.get(id) ?? [])]);
    const allowed = await maySee(
      'workflow',
      all.map(([visitor]) => ({ identity: visitor.identity(), id: visitor.workflowId })),
    );
    const welcome = all.filter(([visitor], index) => allowed[index] || turnAway(visitor));
    const arrived = welcome.filter(([, { isWritten }]) => !isWritten);
    await write((isBeat ? welcome : arrived).map(([visitor, { id }]) => rowOf(visitor, id)));
    for (const [, stay] of arrived) stay.isWritten = true;
    const news = new Set([...gone.values(), ...arrived.map(([{ workflowId }]) => workflowId)]);
    if (news.size > 0) dispatcher().visited([...news]);
    tell(welcome, await readPeople(ids));
  }

  function turnAway(visitor: Visitor): false {
    if (visitors.get(visitor.workflowId)?.has(visitor)) {
      remove(visitor);
      visitor.refuse();
    }
    return false;
  }

  function tell(welcome: [Visitor, Stay][], people: ReadonlyMap<string, Told['people']>): void {
    for (const [visitor, stay] of welcome) {
      const there = people.get(visitor.workflowId) ?? [];
      const text = JSON.stringify(there);
      const isHere = visitors.get(visitor.workflowId)?.has(visitor);
      if (text === stay.told || !isHere || !visitor.isReady()) continue;
      stay.told = text;
      visitor.tell(there);
    }
  }

  const lookAgain = () => {
    isDue = true;
    visited(visitors.keys());
  };
  const beat = setInterval(lookAgain, beatMs);
  beat.unref();

  return {
    enter(visitor) {
      const here = visitors.get(visitor.workflowId) ?? new Map<Visitor, Stay>();
      visitors.set(visitor.workflowId, here.set(visitor, { id: newId('vis'), isWritten: false, told: '' }));
      visited([visitor.workflowId]);
      return () => remove(visitor);
    },
    visited,
    lookAgain,
    async close() {
      isClosed = true;
      clearInterval(beat);
      await settling;
      const rest = [...visitors.values()].flatMap((here) => [...here.values()]);
      await forget([...left.keys(), ...rest.map(({ id }) => id)], false).catch(onError);
    },
  };
}

const rowOf = (visitor: Visitor, id: string) => ({
  id,
  workflowId: visitor.workflowId,
  userId: visitor.identity().userId,
});
