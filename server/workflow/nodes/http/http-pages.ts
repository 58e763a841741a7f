import { HTTP_PAGE_KIND_LABELS } from './http-page-kind-labels';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { parseUnlessLarge, isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { findNextLink } from '@/server/network/outbound/link-header';
import { resolveAddress, setQueryParameter } from '@/server/network/outbound/query';
import type { ResponseHeaders } from '@/server/network/outbound/response-headers';
import { toItemList } from '../list/list-node';
import type { NodeRunContext } from '../node-type';
import { resolveRetry, retryDelayMs } from '../retry';
import { scopedExpressionField } from '../field-traits';

export const MAX_HTTP_PAGES = 100;
/** Maximum size of the items of all pages, in characters of JSON. */
export const MAX_HTTP_ITEMS_JSON = 10 * 1024 * 1024;
/** Memory that is reserved once pages are large: for the items, and for one page beside them. */
export const PAGES_MEMORY_BYTES = 2 * MAX_HTTP_ITEMS_JSON;
/** Items up to this size are collected without reserving memory. */
const MAX_UNRESERVED_ITEMS = 256 * 1024;
/** Longer waits than this are left to the node's retry, which does not hold the worker. */
const MAX_PAGE_PAUSE_MS = 20_000;

const pageExpressionField = (scope: readonly string[], meta: z.core.GlobalMeta) =>
  z.string().max(10_000).optional().apply(scopedExpressionField, scope).meta(meta);
const onlyForKinds = (...kinds: string[]) => ({ 'x-when': { kind: kinds } });

/** How the pages of a list follow each other. */
export const HttpPagination = z.strictObject({
  kind: z.enum(['next_url', 'page', 'offset', 'cursor', 'link']).meta({
    title: 'Kind',
    'x-labels': HTTP_PAGE_KIND_LABELS,
    apiDescription:
      'next_url: each answer has the address of the next page. page: the number of the page in the query. offset: the number of the first item in the query. cursor: each answer has the value of a parameter of the next page. link: the Link header with rel="next".',
  }),
  next: pageExpressionField(['input'], {
    title: 'Next',
    description: 'JSONata that gives the address or the cursor of the next page, and nothing after the last page.',
    examples: ['input.body.next'],
    ...onlyForKinds('next_url', 'cursor'),
  }),
  parameter: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({
      title: 'Parameter',
      description: 'Its name in the query. Default: page, offset or cursor.',
      ...onlyForKinds('page', 'offset', 'cursor'),
    }),
  from: z
    .number()
    .int()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .meta({ title: 'First number', description: 'Default: page 1, offset 0.', ...onlyForKinds('page', 'offset') }),
  step: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({
      title: 'Step',
      description: 'What the offset grows by. Default: the number of items in the page.',
      ...onlyForKinds('offset'),
    }),
  items: pageExpressionField(['input'], {
    title: 'Items',
    description: 'JSONata that gives the list in a page. It reads input: {status, headers, body} of the page.',
    examples: ['input.body.items'],
  }),
  until: pageExpressionField(['input', 'page', 'status', 'items'], {
    title: 'Until',
    description:
      'JSONata that is true after the last page. It reads input, page (its number, from 1), status, and items (all so far). Without it, the list ends where no page follows; by number or offset, at an empty page.',
    examples: ['$count(items) >= input.body.total'],
  }),
  endStatuses: z
    .array(z.number().int().min(400).max(599))
    .max(20)
    .optional()
    .meta({
      title: 'Statuses that end the list',
      description: 'For lists that answer 404 or 400 after the last page. The items before are kept.',
      examples: [[404]],
    }),
  maxPages: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ title: 'Pages at most', description: 'More pages are not requested.', default: MAX_HTTP_PAGES }),
});
export type HttpPagination = z.output<typeof HttpPagination>;

const isBlankField = (text: unknown) => text === undefined || text === '';

/** Lists what a pagination lacks for a run. */
export function findMissingPagingFields(pagination: unknown): FieldIssue[] {
  if (typeof pagination !== 'object' || pagination === null) return [];
  const { kind, next, items } = pagination as Partial<HttpPagination>;
  const missing = [
    ...(isBlankField(items) ? ['items'] : []),
    ...((kind === 'next_url' || kind === 'cursor') && isBlankField(next) ? ['next'] : []),
  ];
  return missing.map((field) => ({ field: `pagination.${field}`, message: 'is required' }));
}

/** The answer with one page. */
export interface HttpPage {
  status: number;
  headers: ResponseHeaders;
  body: unknown;
  /** Its address after redirects. */
  url: string;
}

/** Requests a page. `isOther`: another origin than that of the first page has a part in its address, so it gets no credential. */
type RequestHttpPage = (page: { url: string; number: number; isOther: boolean }) => Promise<HttpPage>;

type PaginationContext = Pick<NodeRunContext<unknown>, 'evaluate' | 'log' | 'retry' | 'reserve' | 'signal'>;

/** The items of all pages so far, as text: they are never parsed here. */
class PageItemCollector {
  private readonly parts: string[] = [];
  private size = 2;

  constructor(private readonly reserve: PaginationContext['reserve']) {}

  /** Adds the list of a page; the number of its items. */
  async add(value: unknown): Promise<number> {
    const list = toItemList(value);
    const json = isLargeJson(list) ? list.text : (serializeJson(list) ?? '[]');
    const inner = json.slice(1, -1);
    if (inner === '') return 0;
    this.parts.push(inner);
    this.size += inner.length + 1;
    if (this.size > MAX_HTTP_ITEMS_JSON) {
      throw new NodeFailure('OUTPUT_TOO_LARGE', 'The items of all pages together are larger than 10 MiB.', false);
    }
    if (this.size > MAX_UNRESERVED_ITEMS) await this.reserve(PAGES_MEMORY_BYTES);
    return isLargeJson(list) ? (list.facts?.length ?? 0) : list.length;
  }

  get value(): unknown {
    return parseUnlessLarge(`[${this.parts.join(',')}]`);
  }
}

/** The address with another value of a parameter. */
function setPageParameter(address: string, name: string, value: string): string {
  if (!URL.canParse(address)) throw new NodeFailure('INVALID_URL', `"${address.slice(0, 200)}" is not a URL.`, false);
  return setQueryParameter(address, name, value);
}

/** The defaults of lists whose pages are counted. */
const COUNTED_DEFAULTS = { page: { parameter: 'page', from: 1 }, offset: { parameter: 'offset', from: 0 } } as const;

function firstPageUrl(pagination: HttpPagination, url: string): string {
  if (pagination.kind !== 'page' && pagination.kind !== 'offset') return url;
  const { parameter, from } = { ...COUNTED_DEFAULTS[pagination.kind], ...definedCountFields(pagination) };
  return setPageParameter(url, parameter, String(from));
}

const definedCountFields = ({ parameter, from }: HttpPagination) => ({
  ...(parameter === undefined ? {} : { parameter }),
  ...(from === undefined ? {} : { from }),
});

const isEndOfList = (value: unknown) => value === undefined || value === null || value === '' || value === false;

/** The facts about a page that decide which page follows. */
interface FinishedPage {
  page: HttpPage;
  /** The number of the page, from 1. */
  number: number;
  /** The number of items in the page, and in all pages so far. */
  itemCount: number;
  totalCount: number;
  /** The result of `next`. */
  next: unknown;
}

/** The address of the page that follows; undefined after the last page. */
function nextPageUrl(pagination: HttpPagination, first: string, end: FinishedPage): string | undefined {
  const { kind, parameter, step } = pagination;
  const { page, number, itemCount, totalCount, next } = end;
  if (kind === 'page' || kind === 'offset') {
    if (itemCount === 0) return undefined;
    const counted = { ...COUNTED_DEFAULTS[kind], ...definedCountFields(pagination) };
    const passed = kind === 'page' ? number : step === undefined ? totalCount : step * number;
    return setPageParameter(first, counted.parameter, String(counted.from + passed));
  }
  const found = kind === 'link' ? findNextLink(page.headers['link']) : next;
  if (isEndOfList(found)) return undefined;
  if (typeof found !== 'string' && !(kind === 'cursor' && typeof found === 'number')) {
    throw new NodeFailure(
      'PAGINATION',
      'config.pagination.next must give a text, or nothing after the last page.',
      false,
    );
  }
  if (kind === 'cursor') return setPageParameter(first, parameter ?? 'cursor', String(found));
  if (!URL.canParse(String(found), page.url)) {
    throw new NodeFailure('INVALID_URL', `"${String(found).slice(0, 200)}" is not the URL of a page.`, false);
  }
  return resolveAddress(String(found), page.url);
}

function isUntilTrue(until: unknown): boolean {
  if (typeof until === 'boolean') return until;
  if (until === undefined || until === null) return false;
  throw new NodeFailure('PAGINATION', 'config.pagination.until must be true or false.', false);
}

/** Requests a page. One after the first is tried again in place, as often as the node: a retry of the node begins at the first page. */
async function requestPageWithRetry(
  request: RequestHttpPage,
  page: Parameters<RequestHttpPage>[0],
  context: PaginationContext,
): Promise<HttpPage> {
  const retry = resolveRetry(context.retry);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request(page);
    } catch (error) {
      if (page.number === 1 || !(error instanceof NodeFailure) || !error.retriable) throw error;
      const { code, message, retryAfterMs, by } = error;
      const waitMs = retryDelayMs(attempt, retry, retryAfterMs);
      const isSpent = attempt >= retry.maxAttempts;
      const where = `Page ${page.number}: ${message}`;
      if (isSpent || waitMs > MAX_PAGE_PAUSE_MS) throw new NodeFailure(code, where, !isSpent, retryAfterMs, by);
      context.log('warn', `${where} Try ${attempt} of ${retry.maxAttempts}; the next one is in ${waitMs} ms.`);
      await pause(waitMs, undefined, { signal: context.signal });
    }
  }
}

/** The expressions of a pagination that read its pages, by their fields. */
const pageExpressions = ({ items = '', next, kind }: HttpPagination) => ({
  'pagination.items': items,
  ...(!isBlankField(next) && (kind === 'next_url' || kind === 'cursor') ? { 'pagination.next': next ?? '' } : {}),
});

/** A digest, so that thousands of long addresses take little memory. */
const digestUrl = (url: string) => createHash('sha256').update(url).digest('base64');

/** Requests all pages in turn. Throws NodeFailure PAGINATION_LOOP when an address comes a second time. */
export async function requestAllPages(
  pagination: HttpPagination,
  url: string,
  request: RequestHttpPage,
  context: PaginationContext,
) {
  const { maxPages = MAX_HTTP_PAGES, until = '', endStatuses = [] } = pagination;
  const expressions = pageExpressions(pagination);
  const items = new PageItemCollector(context.reserve);
  const first = firstPageUrl(pagination, url);
  const requested = new Set<string>();
  let address = first;
  let isOther = false;
  let totalCount = 0;
  let last: HttpPage | undefined;
  for (let number = 1; ; number += 1) {
    requested.add(digestUrl(address));
    isOther ||= number > 1 && new URL(address).origin !== new URL(first).origin;
    const page = await requestPageWithRetry(request, { url: address, number, isOther }, context);
    const result = (pages: number, { status, headers } = page) => ({ items: items.value, pages, status, headers });
    if (endStatuses.includes(page.status)) return result(number - 1, last);
    last = page;
    const { status, headers, body } = page;
    const scope = { input: { status, headers, body } };
    const values = await context.evaluate(expressions, scope);
    const itemCount = await items.add(values['pagination.items']);
    totalCount += itemCount;
    if (until !== '') {
      const judged = { ...scope, page: number, status, items: /\bitems\b/.test(until) ? items.value : undefined };
      const { 'pagination.until': isLast } = await context.evaluate({ 'pagination.until': until }, judged);
      if (isUntilTrue(isLast)) return result(number);
    }
    const end = { page, number, itemCount, totalCount, next: values['pagination.next'] };
    const following = nextPageUrl(pagination, first, end);
    if (following === undefined) return result(number);
    if (requested.has(digestUrl(following))) {
      const message = `Page ${number} names an address as the next page that was requested before.`;
      throw new NodeFailure('PAGINATION_LOOP', message, false);
    }
    if (number >= maxPages) {
      context.log('warn', `There are more pages: only the first ${number} were requested`);
      return result(number);
    }
    address = following;
  }
}
