import type { FieldIssue } from '@/contract/error-response';
import { createConfigFailure, createNodeFailure } from '@/server/platform/errors/node-failure';

/** An address that begins with a fixed host: what follows cannot become a part of it. */
const FIXED_HOST = /^(https?:\/\/[^/{}\s?#]+)(?:$|(?=[/?#]))([^?#]*)/i;

/**
 * The fixed part of the address of a tool: up to the last slash before its first expression. Throws NodeFailure CONFIG.
 */
export function fixedBaseUrl({ url }: Record<string, unknown>): URL {
  const [literal = ''] = String(url).split('{{');
  const [, origin, path = ''] = FIXED_HOST.exec(String(url)) ? (FIXED_HOST.exec(literal) ?? []) : [];
  const base = `${origin}${path.slice(0, path.lastIndexOf('/') + 1)}`;
  if (origin === undefined || !URL.canParse(base)) throw createConfigFailure('url', 'a tool needs a fixed host');
  return new URL(base);
}

/** A model may fill in the rest of an address, but it cannot change its host. */
export function findHttpToolIssues({ url, pagination }: Record<string, unknown>): FieldIssue[] {
  const isFixed = typeof url !== 'string' || url === '' || FIXED_HOST.test(url);
  return [
    ...(isFixed
      ? []
      : [
          {
            field: 'url',
            message: 'must begin with a fixed host, such as https://api.example.com/, before any expression',
          },
        ]),
    ...(pagination === undefined ? [] : [{ field: 'pagination', message: 'is not possible in a tool' }]),
  ];
}

/** Throws NodeFailure TOOL_HOST for an address that is not below the fixed part. */
export function requireUrlBelow(address: string, base: URL): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.origin === base.origin && url.pathname.startsWith(base.pathname)) return;
  throw createNodeFailure('TOOL_HOST', { address: base.href });
}
