/** The time zone of this browser. */
export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA names to choose from; `own` is among them even if it is an alias. */
export const zones = (own: string | null) => [
  ...new Set(['UTC', ...(own ? [own] : []), ...Intl.supportedValuesOf('timeZone')]),
];

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/_]+/)
    .filter(Boolean);

/** The names in which each word of a search begins a word: "new y" finds America/New_York. */
export function foundZones(names: readonly string[], search: string): string[] {
  const sought = wordsOf(search);
  return names.filter((name) => {
    const words = wordsOf(name);
    return sought.every((part) => words.some((word) => word.startsWith(part)));
  });
}

/** The present difference from UTC: "GMT+1". */
export const offsetOf = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
