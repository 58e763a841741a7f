import type { Rating } from '@/contract/annotation';
import type { ExecutionStatus, Trigger } from '@/contract/execution';
import { EXECUTION_STATUSES, isFinal, TRIGGERS } from '@/contract/states';

export const SPANS = { 1: 'Last hour', 24: 'Last 24 hours', 168: 'Last 7 days', 720: 'Last 30 days' } as const;
export const RATED = { up: 'Thumbs up', down: 'Thumbs down' } as const;
export const PARTS = { whole: 'Whole workflows', partial: 'Partial runs' } as const;

/** Filters of the list of runs, as the address of the page has them. Null: any. */
export interface Filters {
  /** Part of a workflow's name, or the id of a run. */
  search: string;
  status: ExecutionStatus | null;
  workflow: string | null;
  trigger: Trigger | null;
  runs: keyof typeof PARTS | null;
  rating: Rating | null;
  /** A tag of the annotation. */
  tag: string | null;
  /** Only runs that the clean-up keeps. */
  kept: 'true' | null;
  /** A number of hours before now, or between `from` and `to`. */
  within: `${keyof typeof SPANS}` | 'custom' | null;
  /** ISO 8601; only with `within` custom. Empty: no bound. */
  from: string;
  to: string;
}

export const NO_FILTERS: Filters = {
  search: '',
  status: null,
  workflow: null,
  trigger: null,
  runs: null,
  rating: null,
  tag: null,
  kept: null,
  within: null,
  from: '',
  to: '',
};

const oneOf = <Value extends string>(values: readonly Value[], value: string | null): Value | null =>
  values.find((one) => one === value) ?? null;

const momentOf = (value: string | null) =>
  value === null || Number.isNaN(Date.parse(value)) ? '' : new Date(value).toISOString();

/** The filters of an address. Values that do not exist count as absent. */
export function filtersOf(address: URLSearchParams): Filters {
  const within = oneOf([...keysOf(SPANS), 'custom'], address.get('within'));
  const isCustom = within === 'custom';
  return {
    search: address.get('search')?.slice(0, 200) ?? '',
    status: oneOf(EXECUTION_STATUSES, address.get('status')),
    workflow: address.get('workflow')?.slice(0, 100) || null,
    trigger: oneOf(TRIGGERS, address.get('trigger')),
    runs: oneOf(keysOf(PARTS), address.get('runs')),
    rating: oneOf(keysOf(RATED), address.get('rating')),
    tag: address.get('tag')?.slice(0, 50) || null,
    kept: oneOf(['true'], address.get('kept')),
    within,
    from: isCustom ? momentOf(address.get('from')) : '',
    to: isCustom ? momentOf(address.get('to')) : '',
  };
}

function keysOf<Key extends string | number>(record: Record<Key, string>) {
  return Object.keys(record) as `${Key}`[];
}

/** The part of the address after `?`, without absent filters; empty if there are none. */
export function addressOf(filters: Filters): string {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams(given).toString();
}

/** What is wrong with the bounds of time, for the field `to`. */
export const faultOf = ({ from, to }: Filters) =>
  from !== '' && to !== '' && from >= to ? 'Must be later than “From”' : undefined;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Bounds in milliseconds, rounded to the minute so that the key of the query stays stable. Undefined: no bound. */
function boundsOf({ within, from, to }: Filters, now: number): { from?: number; to?: number } {
  if (within === null) return {};
  if (within === 'custom')
    return { from: from === '' ? undefined : Date.parse(from), to: to === '' ? undefined : Date.parse(to) };
  const start = now - Number(within) * HOUR_MS;
  return { from: start - (start % MINUTE_MS) };
}

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

const sharedQuery = ({ search, workflow, trigger, runs }: Filters) => ({
  search: search.trim() || undefined,
  workflowId: workflow ?? undefined,
  trigger: trigger ?? undefined,
  partial: runs === null ? undefined : runs === 'partial' ? ('true' as const) : ('false' as const),
});

/** The query of the list. */
export function queryOf(filters: Filters, now: number) {
  const { from, to } = boundsOf(filters, now);
  const { status, rating, tag, kept } = filters;
  const own = {
    status: status ?? undefined,
    rating: rating ?? undefined,
    tag: tag ?? undefined,
    kept: kept ?? undefined,
  };
  return { ...sharedQuery(filters), ...own, from: iso(from), to: iso(to) };
}

const DEFAULT_DAYS = 30;
const MOST_DAYS = 700;

/**
 * The query of the chart, which shows finished runs. Undefined: there is nothing to draw, because a single run is looked
 * for, only unfinished runs are listed, or the time is longer than a chart.
 */
export function chartQueryOf(filters: Filters, now: number) {
  const { status, search, rating, tag, kept } = filters;
  // The statistics know no annotations.
  if (rating !== null || tag !== null || kept !== null) return undefined;
  if (search.trim().startsWith('exec_') || (status !== null && !isFinal(status))) return undefined;
  const bounds = boundsOf(filters, now);
  const to = bounds.to ?? now - (now % MINUTE_MS) + MINUTE_MS;
  const from = bounds.from ?? to - DEFAULT_DAYS * DAY_MS;
  const length = to - from;
  if (length <= 0 || length > MOST_DAYS * DAY_MS) return undefined;
  const bucket = length <= 2 * HOUR_MS ? 'minute' : length <= 8 * DAY_MS ? 'hour' : 'day';
  return { ...sharedQuery(filters), bucket, from: iso(from), to: iso(to) } as const;
}
