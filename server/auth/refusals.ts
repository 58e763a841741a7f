import { networkOf } from '../api/address';
import type { AuditRow } from '../api/operation';
import { prisma } from '../db/client';
import { newOrderedId } from '../db/ids';
import { runtime } from '../runtime';
import { record } from './audit';

/** Refusals alike that are written one by one within a minute; the rest of that minute is one entry. */
const ONE_BY_ONE = 10;
const WINDOW_MS = 60_000;
/** Kinds of refusals that are told apart at a time. What goes beyond is told apart by workspace and action alone. */
const MOST_KINDS = 10_000;

interface Kind {
  since: number;
  count: number;
  /** What was held back, by its latest. */
  held: { count: number; last: AuditRow } | null;
}

/**
 * Keeps a flood of refusals, such as wrongly signed deliveries or guessed passwords, from filling the audit log and the
 * disk: per process and minute no more than eleven entries of each kind, the last of which says how many it stands for.
 */
export class Refusals {
  readonly #kinds = new Map<string, Kind>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Those of the entries that are to be written now. */
  admit(rows: AuditRow[]): AuditRow[] {
    return rows.filter((row) => {
      const kind = this.#kindOf(row);
      kind.count += 1;
      if (kind.count <= ONE_BY_ONE) return true;
      kind.held = { count: (kind.held?.count ?? 0) + 1, last: row };
      return false;
    });
  }

  /** Entries for what was held back, of minutes that are over; with `all`, also of those under way. */
  collect(all = false): AuditRow[] {
    const now = this.clock();
    return [...this.#kinds].flatMap(([key, { since, held }]) => {
      if (!all && now - since < WINDOW_MS) return [];
      this.#kinds.delete(key);
      if (!held) return [];
      const more = { alike: held.count, since: new Date(since).toISOString() };
      return [{ ...held.last, id: newOrderedId('aud'), metadata: { ...held.last.metadata, ...more } }];
    });
  }

  #kindOf(row: AuditRow): Kind {
    const exact = keyOf(row);
    const key = this.#kinds.has(exact) || this.#kinds.size < MOST_KINDS ? exact : `${row.workspaceId} ${row.action}`;
    const kind = this.#kinds.get(key) ?? { since: this.clock(), count: 0, held: null };
    this.#kinds.set(key, kind);
    return kind;
  }
}

/** Strangers are told apart by where they are: what they call themselves is theirs to choose. */
function keyOf({ workspaceId, action, result, actor, metadata }: AuditRow): string {
  const { id } = actor as { id?: string | null };
  const { ipAddress = '', reason = '' } = metadata as { ipAddress?: string; reason?: string };
  return JSON.stringify([workspaceId, action, result, id ?? networkOf(ipAddress), reason]);
}

const refusals = (): Refusals => (runtime().refusals ??= new Refusals());

/** Writes down what was refused, in a transaction of its own; of very many alike, their number. */
export async function recordRefusals(rows: AuditRow[]): Promise<void> {
  const now = refusals().admit(rows);
  if (now.length > 0) await record(prisma(), now);
}

/** Writes down what was held back. With `all`, at the end of the process. */
export async function recordHeld(all = false): Promise<void> {
  const rows = refusals().collect(all);
  if (rows.length > 0) await record(prisma(), rows);
}
