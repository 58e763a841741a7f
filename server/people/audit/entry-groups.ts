import type { AuditEntryResponse, AuditFilter } from '@/contract/audit';
import { readEntriesBefore, type AuditPosition } from './log';

/** An entry, or consecutive saves of one workflow by one user, which are shown as one. */
export interface AuditEntryGroup {
  /** The newest entry of the group. */
  entry: AuditEntryResponse;
  count: number;
  /** When the oldest one was made. ISO 8601. */
  since: string;
}

/** Saves further apart than this are separate lines. */
const MAX_SAVE_GAP_MS = 30 * 60_000;
/** Entries that one answer reads. */
const MAX_READ_ENTRIES = 2000;

const SAVE_ACTIONS = ['workflows.update', 'drafts.save', 'invalidDrafts.save'];
const WORKFLOW_CONTENT_FIELDS = ['name', 'description', 'definition'];

/** Whether an entry is a save of a workflow's content: not its activation, its settings or its folder. */
function isContentSave({ action, result, metadata }: AuditEntryResponse): boolean {
  const { changed } = metadata;
  if (!SAVE_ACTIONS.includes(action) || result !== 'success') return false;
  return (
    Array.isArray(changed) &&
    changed.length > 0 &&
    changed.every((field) => WORKFLOW_CONTENT_FIELDS.includes(field as string))
  );
}

/**
 * Groups entries, newest first. A save joins the later one of the same workflow and actor unless the actor did
 * something else between them, or paused. What others did meanwhile does not separate them.
 */
export class EntryGrouping {
  readonly groups: AuditEntryGroup[] = [];
  /** The group that earlier saves of an actor join. */
  readonly #open = new Map<string, AuditEntryGroup>();

  constructor(private readonly isGrouped: boolean) {}

  /** Takes the next older entry; false, without taking it, if it would be one group more than `limit`. */
  take(entry: AuditEntryResponse, limit: number): boolean {
    const actor = `${entry.actor.type} ${entry.actor.id}`;
    const isJoining = this.isGrouped && isContentSave(entry);
    const open = this.#open.get(actor);
    if (isJoining && open && joinsGroup(entry, open)) {
      open.count += 1;
      open.since = entry.timestamp;
      return true;
    }
    if (this.groups.length === limit) return false;
    const group = { entry, count: 1, since: entry.timestamp };
    this.groups.push(group);
    if (isJoining) this.#open.set(actor, group);
    else this.#open.delete(actor);
    return true;
  }
}

const joinsGroup = (entry: AuditEntryResponse, { entry: newest, since }: AuditEntryGroup) =>
  newest.resource.id === entry.resource.id && Date.parse(since) - Date.parse(entry.timestamp) <= MAX_SAVE_GAP_MS;

/**
 * Groups of a workspace's entries from a position on, newest first, at most `limit`; and the id of the last entry read,
 * if older ones are left. Reads a bounded number of entries, so that a page may have fewer groups.
 */
export async function readEntryGroups(
  workspaceId: string,
  filter: AuditFilter,
  { limit, before, isGrouped }: { limit: number; before?: AuditPosition; isGrouped: boolean },
): Promise<{ groups: AuditEntryGroup[]; last: string | null }> {
  const grouping = new EntryGrouping(isGrouped);
  let last: string | null = null;
  let read = 0;
  for await (const entries of readEntriesBefore(workspaceId, filter, before, Math.min(limit * 4, MAX_READ_ENTRIES))) {
    for (const entry of entries) {
      if (read === MAX_READ_ENTRIES || !grouping.take(entry, limit)) return { groups: grouping.groups, last };
      read += 1;
      last = entry.id;
    }
  }
  return { groups: grouping.groups, last: null };
}
