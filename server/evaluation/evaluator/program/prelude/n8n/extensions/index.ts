/** Calls a method, or the extension of n8n that has its name. `isOptional`: no value gives no value. */
export function callExtension(value: unknown, name: string, isOptional: boolean, ...given: unknown[]): unknown {
  if (isOptional && (value === undefined || value === null)) return undefined;
  const own = value === undefined || value === null ? undefined : (value as Record<string, unknown>)[name];
  if (typeof own === 'function') return (own as (...values: unknown[]) => unknown).apply(value, given);
  throw new TypeError(`${name} is not a function`);
}
