import type { ExecutionSummary } from '@/contract/execution';

/** The fewest runs that are shown as one row. */
const MIN_GROUPED_RUNS = 4;

/** Runs of one trigger that follow one another in the list and are all done. */
export interface RunGroup {
  /** Its trigger and how many groups of it are before this one: the same while runs join at one end and leave the page at the other. */
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

/**
 * The rows of a list of runs. Runs of one trigger that follow one another are one row if all are done, so that a fast poll does not push
 * everything else off the page. A run that failed, goes on, was annotated or is partial is never in a group.
 */
export function groupRuns(runs: readonly ExecutionSummary[]): RunListRow[] {
  const rows: RunListRow[] = [];
  const counts = new Map<string, number>();
  let open: ExecutionSummary[] = [];
  const closeGroup = () => {
    const [first] = open;
    const trigger = (first && groupKey(first)) ?? '';
    const count = counts.get(trigger) ?? 0;
    if (open.length < MIN_GROUPED_RUNS) rows.push(...open);
    else {
      rows.push({ key: `${trigger} ${count}`, runs: open });
      counts.set(trigger, count + 1);
    }
    open = [];
  };
  for (const run of runs) {
    const key = groupKey(run);
    const [first] = open;
    if (first && groupKey(first) !== key) closeGroup();
    if (key === undefined) rows.push(run);
    else open.push(run);
  }
  closeGroup();
  return rows;
}

/** The run of a group that was created last. */
export const newestGroupRun = ({ runs }: RunGroup): ExecutionSummary | undefined =>
  runs.reduce<ExecutionSummary | undefined>(
    (newest, run) => (newest && newest.createdAt >= run.createdAt ? newest : run),
    undefined,
  );

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
