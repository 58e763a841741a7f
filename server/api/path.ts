const patterns = new Map<string, RegExp>();

/** `/api/workflows/{id}` as a pattern; `{path...}` takes all that follows. */
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (!pattern) {
    const source = path
      .replaceAll('.', '\\.')
      .replace(/\{(\w+)\\\.\\\.\\\.\}/g, '(?<$1>.+)')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    patterns.set(path, (pattern = new RegExp(`^${source}$`)));
  }
  return pattern;
}

/** The decoded parameters of `pathname` as an address like `path`, or null if it is another one. */
export function paramsOf(path: string, pathname: string): Record<string, string> | null {
  const match = patternOf(path).exec(pathname);
  if (!match) return null;
  return Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]));
}

/** What can't be decoded, or stored, stays as it came: then it names nothing. */
function decoded(value: string): string {
  try {
    const text = decodeURIComponent(value);
    return text.includes('\0') ? value : text;
  } catch {
    return value;
  }
}
