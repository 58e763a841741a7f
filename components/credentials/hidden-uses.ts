/** Counts workflows that use a credential and that the person may not read. */
export const describeHiddenUses = (count: number): string =>
  count === 1
    ? '1 workflow that you have no access to uses it.'
    : `${count} workflows that you have no access to use it.`;
