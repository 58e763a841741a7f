import { BusiestNames } from './busiest';
import { CounterFamily, HistogramFamily, OTHER_LABEL } from './family';

/** The maximum number of workflows that have series of their own in one process. */
const MAX_WORKFLOW_SERIES = 20;

/** How a run ended. */
export type RunResult = 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'crashed';

const FAILURE_CODE_PATTERN = /^[A-Z][A-Z0-9_]{0,39}$/;

function createProcessMeters() {
  const runsEnded = new CounterFamily({
    name: 'runs_ended_total',
    help: 'Runs that ended in this process, by workflow (the busiest ones by id, the rest as "other") and result',
    labels: ['workflow', 'result'],
  });
  return {
    runsEnded,
    workflows: new BusiestNames({ limit: MAX_WORKFLOW_SERIES, onLoss: (id) => runsEnded.remove(id) }),
    nodeSeconds: new HistogramFamily({
      name: 'node_seconds',
      help: 'Time that attempts of nodes took, without the time in which a node waits, by type of node',
      labels: ['type'],
      bounds: [0.0001, 0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    }),
    nodeFailures: new CounterFamily({
      name: 'node_failures_total',
      help: 'Failed attempts of nodes, by type of node and code of the error',
      labels: ['type', 'code'],
      maxSeries: 1000,
    }),
    webhookDeliveries: new CounterFamily({
      name: 'webhook_deliveries_total',
      help: 'Deliveries to webhooks, by result: accepted, duplicate, captured, challenge, refused, invalid, limited',
      labels: ['result'],
    }),
    scheduleLateness: new HistogramFamily({
      name: 'schedule_lateness_seconds',
      help: 'Time from the planned time of a schedule to the start of its run',
      bounds: [0.5, 1, 2, 5, 15, 60, 300, 3600],
    }),
    scheduleTicks: new CounterFamily({
      name: 'schedule_ticks_total',
      help: 'Times of schedules that came, by result: started, skipped',
      labels: ['result'],
    }),
    outboundRequests: new CounterFamily({
      name: 'outbound_requests_total',
      help: 'Outgoing HTTP requests, by result: the class of the status (2xx), or the code of the failure',
      labels: ['result'],
      maxSeries: 100,
    }),
    outboundSeconds: new HistogramFamily({
      name: 'outbound_request_seconds',
      help: 'Time that outgoing HTTP requests took, redirects and body included, however they ended',
      bounds: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    }),
    callSeconds: new HistogramFamily({
      name: 'call_seconds',
      help: 'Time that operations took to answer, by operation and HTTP status',
      labels: ['operation', 'status'],
      bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
  };
}

type ProcessMeters = ReturnType<typeof createProcessMeters>;

const METERS_KEY = Symbol.for('weft.meters');
type MetersHolder = { [METERS_KEY]?: ProcessMeters };

/**
 * The counters of this process. They are on `globalThis`, because the bundles of Next.js and of the server share them.
 */
export const processMeters: ProcessMeters = ((globalThis as MetersHolder)[METERS_KEY] ??= createProcessMeters());

/** The families, for `GET /metrics`. */
export const listMetricFamilies = (): (CounterFamily | HistogramFamily)[] =>
  Object.values(processMeters).flatMap((one) => ('entries' in one ? one : []));

/** Counts a run that has ended. */
export const countEndedRun = (workflowId: string, result: RunResult): void =>
  processMeters.runsEnded.count(processMeters.workflows.labelOf(workflowId), result);

/** Counts a failed attempt. A code that has not the form of a code is none of the service's own. */
export const countNodeFailure = (type: string, code: string): void =>
  processMeters.nodeFailures.count(type, FAILURE_CODE_PATTERN.test(code) ? code : OTHER_LABEL);

/** Counts an outgoing request. `result`: the status, or the code of the failure. */
export function countOutboundRequest(result: number | string, seconds: number): void {
  processMeters.outboundRequests.count(
    typeof result === 'number' ? (STATUS_CLASSES[Math.floor(result / 100)] ?? OTHER_LABEL) : result,
  );
  processMeters.outboundSeconds.observe(seconds);
}

const STATUS_CLASSES = [OTHER_LABEL, '1xx', '2xx', '3xx', '4xx', '5xx'];
