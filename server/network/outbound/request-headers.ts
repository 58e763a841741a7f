/** Headers that may follow a redirect to another origin; any other header may be a secret of the first one. */
const HARMLESS_HEADERS = new Set(
  'accept accept-encoding accept-language content-type idempotency-key user-agent'.split(' '),
);

export const isHarmlessHeader = (name: string): boolean => HARMLESS_HEADERS.has(name);

/** The headers that are kept, by their names in lower case. */
export function filterHeaders(
  headers: Record<string, string>,
  isKept: (name: string, value: string) => boolean,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name, value]) => isKept(name, value)));
}

/** The headers of a request that may go to another origin than the one that they were written for. */
export const keepHarmlessHeaders = (headers: Record<string, string>): Record<string, string> =>
  filterHeaders(headers, isHarmlessHeader);
