/** The time zone of this browser. */
export const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** IANA names to choose from; `own` is among them even if it is an alias. */
export const zones = (own: string | null) => [
  ...new Set(['UTC', ...(own ? [own] : []), ...Intl.supportedValuesOf('timeZone')]),
];
