/** The entries by group, the groups in the order of their first entries: each group has one heading. */
export function gatherGroups<Entry extends { group: string }>(entries: readonly Entry[]): Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups.values()].flat();
}
