import { networkOfAddress } from '@/server/platform/messages/client-address';
import { prismaClient } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { generateOrderedId } from '@/server/platform/db/ids';
import { serviceLog } from '@/server/platform/log';
import { currentMaintenance } from '@/server/platform/maintenance';
import { getRuntime } from '@/server/platform/runtime';
import { appendAuditEntries } from './record';
import type { AuditRow } from './entry';

/** Equal refusals that are written one by one within a minute. The rest of that minute becomes one entry. */
const MAX_SINGLE_REFUSALS = 10;
const REFUSAL_WINDOW_MS = 60_000;
/**
 * Kinds of refusals that are counted separately at a time. Further kinds are separated by workspace and action only.
 */
const MAX_REFUSAL_GROUPS = 10_000;

interface RefusalGroup {
  since: number;
  count: number;
  /** The latest suppressed refusal. */
  suppressed: { count: number; last: AuditRow } | null;
}

/**
 * Keeps floods of refusals, such as wrongly signed deliveries or guessed passwords, from filling the audit log and the
 * disk: at most eleven entries of each kind per process and minute. The last entry carries the count.
 */
export class RefusalLimiter {
  readonly #kinds = new Map<string, RefusalGroup>();

  constructor(private readonly clock: () => number = Date.now) {}

  /** Returns those of the entries that are written now. */
  admit(rows: AuditRow[]): AuditRow[] {
    return rows.filter((row) => {
      const kind = this.#kindOf(row);
      kind.count += 1;
      if (kind.count <= MAX_SINGLE_REFUSALS) return true;
      kind.suppressed = { count: (kind.suppressed?.count ?? 0) + 1, last: row };
      return false;
    });
  }

  /** Entries for suppressed refusals of past minutes; with `all`, also of the current ones. */
  collect(all = false): AuditRow[] {
    const now = this.clock();
    return [...this.#kinds].flatMap(([key, { since, suppressed }]) => {
      if (!all && now - since < REFUSAL_WINDOW_MS) return [];
      this.#kinds.delete(key);
      if (!suppressed) return [];
      const more = { alike: suppressed.count, since: new Date(since).toISOString() };
      return [{ ...suppressed.last, id: generateOrderedId('aud'), metadata: { ...suppressed.last.metadata, ...more } }];
    });
  }

  #kindOf(row: AuditRow): RefusalGroup {
    const exact = refusalGroupKey(row);
    const key =
      this.#kinds.has(exact) || this.#kinds.size < MAX_REFUSAL_GROUPS ? exact : `${row.workspaceId} ${row.action}`;
    const kind = this.#kinds.get(key) ?? { since: this.clock(), count: 0, suppressed: null };
    this.#kinds.set(key, kind);
    return kind;
  }
}

/** Anonymous callers are separated by address, because they choose the names that they send. */
function refusalGroupKey({ workspaceId, action, result, actor, metadata }: AuditRow): string {
  const { id } = actor as { id?: string | null };
  const { ipAddress = '', reason = '' } = metadata as { ipAddress?: string; reason?: string };
  return JSON.stringify([workspaceId, action, result, id ?? networkOfAddress(ipAddress), reason]);
}

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Refusals of the current minute. */
    refusals?: RefusalLimiter;
  }
}

const refusalLimiter = (): RefusalLimiter => (getRuntime().refusals ??= new RefusalLimiter());

/** Stores refusals one batch after another: a flood of them occupies one connection, and not all of the process. */
const storeRefusals = groupCommit<AuditRow[], void>(async (entries) => {
  await appendAuditEntries(prismaClient(), entries.flat());
  return entries.map(() => undefined);
});

/**
 * Stores refusals in a separate transaction; a flood of equal refusals is stored as a count. During maintenance they
 * are only logged.
 */
export async function recordRefusals(rows: AuditRow[]): Promise<void> {
  if (currentMaintenance()) return serviceLog().warn({ entries: rows }, 'refused during maintenance');
  const now = refusalLimiter().admit(rows);
  if (now.length > 0) await storeRefusals(now);
}

/** Stores suppressed refusals. With `all` (at shutdown), the current minute as well. */
export async function flushSuppressedRefusals(all = false): Promise<void> {
  const rows = refusalLimiter().collect(all);
  if (rows.length > 0) await appendAuditEntries(prismaClient(), rows);
}
