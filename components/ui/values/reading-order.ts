const RESPONSE = ['status', 'headers', 'body'];

/** Whether a value is the output of an HTTP request. */
export function isResponse(value: object): boolean {
  const names = Object.keys(value);
  return names.length === RESPONSE.length && RESPONSE.every((name) => names.includes(name));
}

/** The fields of a value in the order in which they are read: the headers of an HTTP response come last. */
export function readingOrder(value: object): [name: string, inner: unknown][] {
  const entries: [string, unknown][] = Object.entries(value);
  return isResponse(value)
    ? entries.toSorted(([one], [other]) => Number(one === 'headers') - Number(other === 'headers'))
    : entries;
}
