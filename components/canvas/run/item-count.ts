const objectFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The length of a list, or of the only list among the fields of an object. */
function bodyListLength(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  const lists = Object.values(objectFields(value)).filter((field) => Array.isArray(field));
  return lists.length === 1 ? lists[0]?.length : undefined;
}

/**
 * Number of items in the output of a node: of a list, of the list in the body of an HTTP response, or of the items of
 * all its pages. Undefined: there is no list, or it is not clear which one is meant.
 */
export function outputItemCount(output: unknown): number | undefined {
  if (Array.isArray(output)) return output.length;
  const { status, headers, body, items } = objectFields(output);
  if (typeof status !== 'number' || headers === undefined) return undefined;
  return Array.isArray(items) ? items.length : bodyListLength(body);
}
