import type { Method, Operation } from '@/server/api/operation';

/** An operation with its path parameters, or the methods that the path accepts instead. */
export type Match = { operation: Operation; params: Record<string, string> } | { allowed: Method[] };

export type Router = (method: string, pathname: string) => Match | undefined;

interface Route {
  pattern: RegExp;
  hasParams: boolean;
  operations: Map<Method, Operation>;
}

/** Addresses of workflows, which people copy and senders write as they like. */
const OF_WORKFLOWS = /^\/calls\/|\.\.\.\}$/;

/**
 * The regular expression of a path such as `/api/workflows/{id}`; `{path...}` matches the rest of the path. A slash at the end of an address of
 * a workflow is no part of it.
 */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replace(/\{(\w+)\\\.\\\.\\\.\}/g, '(?<$1>.+?)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}${OF_WORKFLOWS.test(path) ? '/?' : ''}$`);
}

/** Decodes a parameter. A value that cannot be decoded or stored stays unchanged and matches no object. */
function decoded(value: string): string {
  try {
    const text = decodeURIComponent(value);
    return text.includes('\0') ? value : text;
  } catch {
    return value;
  }
}

/** How many parameters a path has; more than any number for one that takes the rest of the path. */
const parametersIn = (path: string): number =>
  path.includes('...}') ? Number.MAX_SAFE_INTEGER : path.split('{').length - 1;

/** The first one or two literal segments: `/api/workflows` of `/api/workflows/{id}`, `/webhooks` of `/webhooks/{id}`. */
const prefixOf = (path: string): string => /^\/[^/{]+(?:\/[^/{]+)?/.exec(path)?.[0] ?? '/';

/**
 * Matches a method and a path against the table of operations, once per request. Routes are grouped by their literal
 * prefix; a route with fewer parameters comes before one with more: `/rows/import` before `/rows/{rowId}`.
 */
export function createRouter(operations: readonly Operation[]): Router {
  const routes = new Map<string, Route>();
  for (const operation of operations) {
    const { path, method } = operation;
    let route = routes.get(path);
    if (!route) {
      route = { pattern: patternOf(path), hasParams: path.includes('{'), operations: new Map() };
      routes.set(path, route);
    }
    for (const each of [method, ...(operation.otherMethods ?? [])]) route.operations.set(each, operation);
  }
  const byPrefix = new Map<string, Route[]>();
  const literalFirst = [...routes].toSorted(([one], [other]) => parametersIn(one) - parametersIn(other));
  for (const [path, route] of literalFirst) {
    const prefix = prefixOf(path);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), route]);
  }

  function matchWithin(prefix: string, method: string, pathname: string): Match | undefined {
    for (const route of byPrefix.get(prefix) ?? []) {
      const found = route.pattern.exec(pathname);
      if (!found) continue;
      const operation = route.operations.get(method as Method);
      if (!operation) return { allowed: [...route.operations.keys()] };
      const params: Record<string, string> = {};
      if (route.hasParams)
        for (const [name, value] of Object.entries(found.groups ?? {})) params[name] = decoded(value);
      return { operation, params };
    }
    return undefined;
  }

  return (method, pathname) => {
    const end = pathname.indexOf('/', 1);
    return (
      matchWithin(prefixOf(pathname), method, pathname) ??
      (end === -1 ? undefined : matchWithin(pathname.slice(0, end), method, pathname))
    );
  };
}
