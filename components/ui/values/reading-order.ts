const HTTP_RESPONSE_FIELDS = ['status', 'headers', 'body'];

/** Whether a value is the output of an HTTP request. */
export function isHttpResponseValue(value: object): boolean {
  const names = Object.keys(value);
  return names.length === HTTP_RESPONSE_FIELDS.length && HTTP_RESPONSE_FIELDS.every((name) => names.includes(name));
}

/** The fields of a value in the order in which they are read: the headers of an HTTP response come last. */
export function entriesToRead(value: object): [name: string, inner: unknown][] {
  const entries: [string, unknown][] = Object.entries(value);
  return isHttpResponseValue(value)
    ? entries.toSorted(([one], [other]) => Number(one === 'headers') - Number(other === 'headers'))
    : entries;
}
