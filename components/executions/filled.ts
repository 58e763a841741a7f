/**
 * A text with its `{{ input.some.path }}` filled in, for showing to a person. Only plain paths are; what needs more than
 * looking up stays as it was written.
 */
export const filled = (text: string, input: unknown): string =>
  text.replace(/\{\{\s*input((?:\.\w+)*)\s*\}\}/g, (written: string, path: string) => {
    const value = path.split('.').slice(1).reduce(step, input);
    if (value === undefined) return written;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });

const step = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
