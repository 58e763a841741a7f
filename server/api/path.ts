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

/** `/api/workflows` of `/api/workflows/{id}`; `/webhooks` of `/webhooks/{workflowId}/{path...}`. */
const roomOf = (path: string): string => /^\/[^/{]+(?:\/[^/{]+)?/.exec(path)?.[0] ?? '/';

/** Finds the address that a pathname belongs to among many; one without parameters comes before one with. */
export function router(paths: Iterable<string>): (pathname: string) => string | undefined {
  const rooms = new Map<string, string[]>();
  const literalFirst = [...new Set(paths)].toSorted(
    (one, other) => Number(one.includes('{')) - Number(other.includes('{')),
  );
  for (const path of literalFirst) rooms.set(roomOf(path), [...(rooms.get(roomOf(path)) ?? []), path]);
  const within = (room: string, pathname: string) => rooms.get(room)?.find((path) => patternOf(path).test(pathname));
  return (pathname) => {
    const end = pathname.indexOf('/', 1);
    return within(roomOf(pathname), pathname) ?? (end === -1 ? undefined : within(pathname.slice(0, end), pathname));
  };
}
