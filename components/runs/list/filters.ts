import type { RunRating } from '@/contract/annotation';
import type { RunListSort } from '@/contract/list-sort';
import { parseSort } from '@/components/ui/lists/list-sort';
import type { ExecutionStatus, TriggerType } from '@/contract/execution';
import { EXECUTION_STATUSES, isFinalStatus, TRIGGER_TYPES } from '@/contract/states';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@/contract/units';

export const TIME_SPAN_LABELS = {
  1: 'Last hour',
  24: 'Last 24 hours',
  168: 'Last 7 days',
  720: 'Last 30 days',
} as const;
export const RATING_LABELS = { up: 'Thumbs up', down: 'Thumbs down' } as const;
export const RUN_SCOPE_LABELS = { whole: 'Whole workflows', partial: 'Partial runs' } as const;

/** The filters of the list of runs, as they stand in the address of the page. Null means any. */
export interface RunFilters {
  /** Part of a workflow's name, or the id of a run. */
  search: string;
  status: ExecutionStatus | null;
  workflow: string | null;
  trigger: TriggerType | null;
  runs: keyof typeof RUN_SCOPE_LABELS | null;
  rating: RunRating | null;
  /** A tag of the annotation. */
  tag: string | null;
  /** Only runs that the clean-up keeps. */
  kept: 'true' | null;
  /** A number of hours before now, or between `from` and `to`. */
  within: `${keyof typeof TIME_SPAN_LABELS}` | 'custom' | null;
  /** ISO 8601; only with `within` custom. Empty: no bound. */
  from: string;
  to: string;
  sort: RunListSort;
}

/** The orders of the list. The first one is that of the service. */
const RUN_LIST_SORTS = ['-createdAt', 'createdAt'] as const;

export const EMPTY_RUN_FILTERS: RunFilters = {
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
  sort: RUN_LIST_SORTS[0],
};

const knownValue = <Value extends string>(values: readonly Value[], value: string | null): Value | null =>
  values.find((one) => one === value) ?? null;

const parseMoment = (value: string | null) =>
  value === null || Number.isNaN(Date.parse(value)) ? '' : new Date(value).toISOString();

/** The filters of an address. Values that do not exist count as absent. */
export function parseRunFilters(address: URLSearchParams): RunFilters {
  const within = knownValue([...stringKeys(TIME_SPAN_LABELS), 'custom'], address.get('within'));
  const isCustom = within === 'custom';
  return {
    search: address.get('search')?.slice(0, 200) ?? '',
    status: knownValue(EXECUTION_STATUSES, address.get('status')),
    workflow: address.get('workflow')?.slice(0, 100) || null,
    trigger: knownValue(TRIGGER_TYPES, address.get('trigger')),
    runs: knownValue(stringKeys(RUN_SCOPE_LABELS), address.get('runs')),
    rating: knownValue(stringKeys(RATING_LABELS), address.get('rating')),
    tag: address.get('tag')?.slice(0, 50) || null,
    kept: knownValue(['true'], address.get('kept')),
    within,
    from: isCustom ? parseMoment(address.get('from')) : '',
    to: isCustom ? parseMoment(address.get('to')) : '',
    sort: parseSort<RunListSort>(RUN_LIST_SORTS, address.get('sort')),
  };
}

function stringKeys<Key extends string | number>(record: Record<Key, string>) {
  return Object.keys(record) as `${Key}`[];
}

/** Whether only some runs are shown. */
export const hasRunFilters = (filters: RunFilters): boolean =>
  Object.entries(filters).some(([name, value]) => name !== 'sort' && Boolean(value));

/** The part of the address after `?`, without absent filters; empty if there are none. */
export function encodeRunFilters(filters: RunFilters): string {
  const { sort, ...narrowing } = filters;
  const all = { ...narrowing, sort: sort === RUN_LIST_SORTS[0] ? '' : sort };
  const given = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams(given).toString();
}

/** What is wrong with the bounds of time, for the field `to`. */
export const timeBoundsError = ({ from, to }: RunFilters) =>
  from !== '' && to !== '' && from >= to ? 'Must be later than “From”' : undefined;

/**
 * The bounds in milliseconds, rounded to the minute so that the key of the query stays stable. An undefined bound is
 * open.
 */
function timeBounds({ within, from, to }: RunFilters, now: number): { from?: number; to?: number } {
  if (within === null) return {};
  if (within === 'custom')
    return { from: from === '' ? undefined : Date.parse(from), to: to === '' ? undefined : Date.parse(to) };
  const start = now - Number(within) * MS_PER_HOUR;
  return { from: start - (start % MS_PER_MINUTE) };
}

const isoTimestamp = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

const commonRunQuery = ({ search, workflow, trigger, runs }: RunFilters) => ({
  search: search.trim() || undefined,
  workflowId: workflow ?? undefined,
  trigger: trigger ?? undefined,
  partial: runs === null ? undefined : runs === 'partial' ? ('true' as const) : ('false' as const),
});

/** The query of the list. */
export function runListQuery(filters: RunFilters, now: number) {
  const { from, to } = timeBounds(filters, now);
  const { status, rating, tag, kept, sort } = filters;
  const own = {
    sort,
    status: status ?? undefined,
    rating: rating ?? undefined,
    tag: tag ?? undefined,
    kept: kept ?? undefined,
  };
  return { ...commonRunQuery(filters), ...own, from: isoTimestamp(from), to: isoTimestamp(to) };
}

const DEFAULT_CHART_DAYS = 30;
const MAX_CHART_DAYS = 700;

/**
 * The query of the chart, which shows finished runs. Undefined: there is nothing to draw, because a single run is
 * looked for, only unfinished runs are listed, or the time is longer than a chart.
 */
export function runChartQuery(filters: RunFilters, now: number) {
  const { status, search, rating, tag, kept } = filters;
  // The statistics know no annotations.
  if (rating !== null || tag !== null || kept !== null) return undefined;
  if (search.trim().startsWith('exec_') || (status !== null && !isFinalStatus(status))) return undefined;
  const bounds = timeBounds(filters, now);
  const to = bounds.to ?? now - (now % MS_PER_MINUTE) + MS_PER_MINUTE;
  const from = bounds.from ?? to - DEFAULT_CHART_DAYS * MS_PER_DAY;
  const length = to - from;
  if (length <= 0 || length > MAX_CHART_DAYS * MS_PER_DAY) return undefined;
  const bucket = length <= 2 * MS_PER_HOUR ? 'minute' : length <= 8 * MS_PER_DAY ? 'hour' : 'day';
  return { ...commonRunQuery(filters), bucket, from: isoTimestamp(from), to: isoTimestamp(to) } as const;
}
