/** A time in a time zone: "Mon, 24 Nov, 08:00". */
export const formatTimeInZone = (at: string | Date, timeZone: string): string =>
  new Date(at).toLocaleString(undefined, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
