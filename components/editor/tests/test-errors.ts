/** The props of the field for one part of a test. The value can be any JSON, because a person may write it as text. */
export interface TestPartProps {
  value: unknown;
  /** Messages by the field names of the service: `mocks.fetch.output`. */
  errors: ReadonlyMap<string, string>;
  onChange(value: unknown): void;
}

export const EMPTY_TEST_ERRORS: ReadonlyMap<string, string> = new Map();

/** The first error at or inside a field, with its place inside, but not of those that show their own errors. */
export function findTestError(
  errors: ReadonlyMap<string, string>,
  field: string,
  shown: readonly string[],
): string | undefined {
  for (const [place, message] of errors) {
    if (place === field) return message;
    if (!place.startsWith(`${field}.`)) continue;
    const inside = place.slice(field.length + 1);
    if (!shown.some((one) => inside === one || inside.startsWith(`${one}.`))) return `${inside}: ${message}`;
  }
  return undefined;
}
