import type { OperationMethod, OperationRecord } from '@/server/api/operation/operation';

/** An operation with its path parameters, or the methods that the path accepts instead. */
export type RouteMatch =
  | { operation: OperationRecord; params: Record<string, string> }
  | { allowed: OperationMethod[] };

export type MatchRoute = (method: string, pathname: string) => RouteMatch | undefined;

interface PatternRoute {
  pattern: RegExp;
  hasParams: boolean;
  operations: Map<OperationMethod, OperationRecord>;
}

/** Addresses of workflows, which people copy and senders write as they like. */
const WORKFLOW_ADDRESS_PATTERN = /^\/calls\/|\.\.\.\}$/;

/**
 * The regular expression of a path such as `/api/workflows/{id}`; `{path...}` matches the rest of the path. A slash at
 * the end of an address of a workflow is no part of it.
 */
function compilePathPattern(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replace(/\{(\w+)\\\.\\\.\\\.\}/g, '(?<$1>.+?)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}${WORKFLOW_ADDRESS_PATTERN.test(path) ? '/?' : ''}$`);
}

/** Decodes a parameter. A value that cannot be decoded or stored stays unchanged and matches no object. */
function decodePathParameter(value: string): string {
  try {
    const text = decodeURIComponent(value);
    return text.includes('\0') ? value : text;
  } catch {
    return value;
  }
}

/** How many parameters a path has; more than any number for one that takes the rest of the path. */
const countPathParameters = (path: string): number =>
  path.includes('...}') ? Number.MAX_SAFE_INTEGER : path.split('{').length - 1;

/**
 * The first one or two literal segments: `/api/workflows` of `/api/workflows/{id}`, `/webhooks` of `/webhooks/{id}`.
 */
const literalPathPrefix = (path: string): string => /^\/[^/{]+(?:\/[^/{]+)?/.exec(path)?.[0] ?? '/';

/**
 * Matches a method and a path against the table of operations, once per request. Routes are grouped by their literal
 * prefix; a route with fewer parameters comes before one with more: `/rows/import` before `/rows/{rowId}`.
 */
export function createOperationRouter(operations: readonly OperationRecord[]): MatchRoute {
  const routes = new Map<string, PatternRoute>();
  for (const operation of operations) {
    const { path, method } = operation;
    let route = routes.get(path);
    if (!route) {
      route = { pattern: compilePathPattern(path), hasParams: path.includes('{'), operations: new Map() };
      routes.set(path, route);
    }
    for (const each of [method, ...(operation.otherMethods ?? [])]) route.operations.set(each, operation);
  }
  const byPrefix = new Map<string, PatternRoute[]>();
  const literalFirst = [...routes].toSorted(([one], [other]) => countPathParameters(one) - countPathParameters(other));
  for (const [path, route] of literalFirst) {
    const prefix = literalPathPrefix(path);
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), route]);
  }

  function matchWithin(prefix: string, method: string, pathname: string): RouteMatch | undefined {
    for (const route of byPrefix.get(prefix) ?? []) {
      const found = route.pattern.exec(pathname);
      if (!found) continue;
      const operation = route.operations.get(method as OperationMethod);
      if (!operation) return { allowed: [...route.operations.keys()] };
      const params: Record<string, string> = {};
      if (route.hasParams)
        for (const [name, value] of Object.entries(found.groups ?? {})) params[name] = decodePathParameter(value);
      return { operation, params };
    }
    return undefined;
  }

  return (method, pathname) => {
    const end = pathname.indexOf('/', 1);
    return (
      matchWithin(literalPathPrefix(pathname), method, pathname) ??
      (end === -1 ? undefined : matchWithin(pathname.slice(0, end), method, pathname))
    );
  };
}
