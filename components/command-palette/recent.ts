const MAX_RECENT_ENTRIES = 6;
const recentEntriesKey = (workspaceId: string) => `weft.recentEntries.${workspaceId}`;

/** Ids of the entries picked most recently in this browser and workspace, newest first. Names are not stored. */
export const readRecentEntries = (workspaceId: string): string[] =>
  (localStorage.getItem(recentEntriesKey(workspaceId)) ?? '').split(' ').filter(Boolean);

export function rememberRecentEntry(workspaceId: string, id: string): void {
  const ids = [id, ...readRecentEntries(workspaceId).filter((other) => other !== id)];
  localStorage.setItem(recentEntriesKey(workspaceId), ids.slice(0, MAX_RECENT_ENTRIES).join(' '));
}

/** The entries with recent ones first, under a heading of their own. */
export function putRecentFirst<Entry extends { id: string; group: string }>(entries: Entry[], ids: string[]): Entry[] {
  const recent = ids.flatMap((id) => entries.filter((entry) => entry.id === id));
  return [
    ...recent.map((entry) => ({ ...entry, group: 'Recent' })),
    ...entries.filter((entry) => !recent.includes(entry)),
  ];
}
