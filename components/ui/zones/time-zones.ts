/** The time zone of this browser. */
export const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA names to choose from; `own` is among them even if it is an alias. */
export const listTimeZones = (own: string | null) => [
  ...new Set(['UTC', ...(own ? [own] : []), ...Intl.supportedValuesOf('timeZone')]),
];

/** A name as people read it: `America/New York`. */
export const timeZoneLabel = (name: string): string => name.replaceAll('_', ' ');

const zoneNameWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/_]+/)
    .filter(Boolean);

/** The names in which each word of a search begins a word: "new y" finds America/New_York. */
export function filterTimeZones(names: readonly string[], search: string): string[] {
  const sought = zoneNameWords(search);
  return names.filter((name) => {
    const words = zoneNameWords(name);
    return sought.every((part) => words.some((word) => word.startsWith(part)));
  });
}

/** The present difference from UTC: "GMT+1". */
export const utcOffsetText = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';
