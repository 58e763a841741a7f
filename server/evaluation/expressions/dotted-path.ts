/** The value at a dotted path; undefined if the path does not exist. */
export function getAtPath(value: unknown, path: string): unknown {
  if (path === '') return value;
  // A key may contain dots, as `@odata.nextLink` does.
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path];
  const [first = '', ...rest] = path.split('.');
  return rest.length > 0 && Object.hasOwn(value, first)
    ? getAtPath((value as Record<string, unknown>)[first], rest.join('.'))
    : undefined;
}
