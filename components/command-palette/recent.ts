const MOST = 6;
const keyOf = (workspaceId: string) => `weft.recentEntries.${workspaceId}`;

/** Ids of the entries picked most recently in this browser and workspace, newest first. Names are not stored. */
export const recentEntries = (workspaceId: string): string[] =>
  (localStorage.getItem(keyOf(workspaceId)) ?? '').split(' ').filter(Boolean);

export function rememberEntry(workspaceId: string, id: string): void {
  const ids = [id, ...recentEntries(workspaceId).filter((other) => other !== id)];
  localStorage.setItem(keyOf(workspaceId), ids.slice(0, MOST).join(' '));
}

/** The entries with recent ones first, under a heading of their own. */
export function recentFirst<Entry extends { id: string; group: string }>(entries: Entry[], ids: string[]): Entry[] {
  const recent = ids.flatMap((id) => entries.filter((entry) => entry.id === id));
  return [
    ...recent.map((entry) => ({ ...entry, group: 'Recent' })),
    ...entries.filter((entry) => !recent.includes(entry)),
  ];
}
