import type { ExecutionSummary } from '@/contract/execution';

/** The fewest runs that are shown as one row. */
const MIN_GROUPED_RUNS = 4;

/** Runs of one trigger that follow one another in the list and are all done. */
export interface RunGroup {
  /** The id of its oldest run, which stays the same while new runs join. */
  key: string;
  runs: ExecutionSummary[];
}

/** A row of the list: one run, or a group. */
export type RunListRow = ExecutionSummary | RunGroup;

export const isRunGroup = (row: RunListRow): row is RunGroup => 'runs' in row;

/** The trigger whose runs may be grouped with this one. Undefined: none may, because this run says something of its own. */
function groupKey(run: ExecutionSummary): string | undefined {
  const { status, triggeredBy, untilNodeId, annotation, workflowId, trigger } = run;
  const isPlain = status === 'completed' && untilNodeId === null && annotation === null;
  return isPlain && triggeredBy ? `${workflowId} ${trigger} ${triggeredBy.id}` : undefined;
}

const toRows = (runs: ExecutionSummary[]): RunListRow[] => {
  if (runs.length < MIN_GROUPED_RUNS) return runs;
  const oldest = runs.reduce((one, other) => (other.createdAt < one.createdAt ? other : one));
  return [{ key: oldest.id, runs }];
};

/**
 * The rows of a list of runs. Runs of one trigger that follow one another are one row if all are done, so that a fast poll does not push
 * everything else off the page. A run that failed, goes on, was annotated or is partial is never in a group.
 */
export function groupRuns(runs: readonly ExecutionSummary[]): RunListRow[] {
  const rows: RunListRow[] = [];
  let open: ExecutionSummary[] = [];
  for (const run of runs) {
    const key = groupKey(run);
    const [first] = open;
    if (first && groupKey(first) !== key) {
      rows.push(...toRows(open));
      open = [];
    }
    if (key === undefined) rows.push(run);
    else open.push(run);
  }
  return [...rows, ...toRows(open)];
}

/** How many runs these rows have. */
export const countRuns = (rows: readonly RunListRow[]): number =>
  rows.reduce((sum, row) => sum + (isRunGroup(row) ? row.runs.length : 1), 0);

const GROUP_NAMES: Partial<Record<ExecutionSummary['trigger'], (name: string) => string>> = {
  poll: (name) => name,
  webhook: (name) => `the webhook /${name}`,
  form: (name) => `the form /${name}`,
  chat: (name) => `the chat /${name}`,
  // Its name is a cron expression.
  schedule: () => 'the schedule',
};

/** `42 runs of New rows`. */
export function describeRunGroup({ runs }: RunGroup): string {
  const [{ trigger, triggeredBy, workflowName } = {} as Partial<ExecutionSummary>] = runs;
  const name = trigger && triggeredBy ? GROUP_NAMES[trigger]?.(triggeredBy.name) : undefined;
  return `${runs.length} runs of ${name ?? workflowName ?? ''}`;
}

/** From the first to the last start: `09:00 – 09:42`, with the day unless it is that of `now`. */
export function runGroupTimes({ runs }: RunGroup, now: number, locale?: string): string {
  const times = runs.map(({ startedAt }) => Date.parse(startedAt));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const isToday = new Date(from).toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ month: 'short', day: 'numeric' } as const);
  return new Intl.DateTimeFormat(locale, { ...day, hour: '2-digit', minute: '2-digit' }).formatRange(from, to);
}
