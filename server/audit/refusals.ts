import { networkOf } from '@/server/client-address';
import { prisma } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import { newOrderedId } from '@/server/db/ids';
import { log } from '@/server/log';
import { maintenance } from '@/server/maintenance';
import { runtime } from '@/server/runtime';
import { record } from './record';
import type { AuditRow } from './entry';

/** Equal refusals that are written one by one within a minute. The rest of that minute becomes one entry. */
const ONE_BY_ONE = 10;
const WINDOW_MS = 60_000;
/**
 * Kinds of refusals that are counted separately at a time. Further kinds are separated by workspace and action only.
 */
const MOST_KINDS = 10_000;

interface Kind {
  since: number;
  count: number;
  /** The latest suppressed refusal. */
  suppressed: { count: number; last: AuditRow } | null;
}

/**
 * Keeps floods of refusals, such as wrongly signed deliveries or guessed passwords, from filling the audit log and the
 * disk: at most eleven entries of each kind per process and minute. The last entry carries the count.
 */
export class Refusals {
  readonly #kinds = new Map<string, Kind>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Returns those of the entries that are written now. */
  admit(rows: AuditRow[]): AuditRow[] {
    return rows.filter((row) => {
      const kind = this.#kindOf(row);
      kind.count += 1;
      if (kind.count <= ONE_BY_ONE) return true;
      kind.suppressed = { count: (kind.suppressed?.count ?? 0) + 1, last: row };
      return false;
    });
  }

  /** Entries for suppressed refusals of past minutes; with `all`, also of the current ones. */
  collect(all = false): AuditRow[] {
    const now = this.clock();
    return [...this.#kinds].flatMap(([key, { since, suppressed }]) => {
      if (!all && now - since < WINDOW_MS) return [];
      this.#kinds.delete(key);
      if (!suppressed) return [];
      const more = { alike: suppressed.count, since: new Date(since).toISOString() };
      return [{ ...suppressed.last, id: newOrderedId('aud'), metadata: { ...suppressed.last.metadata, ...more } }];
    });
  }

  #kindOf(row: AuditRow): Kind {
    const exact = keyOf(row);
    const key = this.#kinds.has(exact) || this.#kinds.size < MOST_KINDS ? exact : `${row.workspaceId} ${row.action}`;
    const kind = this.#kinds.get(key) ?? { since: this.clock(), count: 0, suppressed: null };
    this.#kinds.set(key, kind);
    return kind;
  }
}

/** Anonymous callers are separated by address, because they choose the names that they send. */
function keyOf({ workspaceId, action, result, actor, metadata }: AuditRow): string {
  const { id } = actor as { id?: string | null };
  const { ipAddress = '', reason = '' } = metadata as { ipAddress?: string; reason?: string };
  return JSON.stringify([workspaceId, action, result, id ?? networkOf(ipAddress), reason]);
}

declare module '@/server/runtime' {
  interface Runtime {
    /** Refusals of the current minute. */
    refusals?: Refusals;
  }
}

const refusals = (): Refusals => (runtime().refusals ??= new Refusals());

/** Stores refusals one batch after another: a flood of them occupies one connection, and not all of the process. */
const store = groupCommit<AuditRow[], void>(async (entries) => {
  await record(prisma(), entries.flat());
  return entries.map(() => undefined);
});

/** Stores refusals in a separate transaction; a flood of equal refusals is stored as a count. During maintenance they are only logged. */
export async function recordRefusals(rows: AuditRow[]): Promise<void> {
  if (maintenance()) return log().warn({ entries: rows }, 'refused during maintenance');
  const now = refusals().admit(rows);
  if (now.length > 0) await store(now);
}

/** Stores suppressed refusals. With `all` (at shutdown), the current minute as well. */
export async function flushSuppressed(all = false): Promise<void> {
  const rows = refusals().collect(all);
  if (rows.length > 0) await record(prisma(), rows);
}
