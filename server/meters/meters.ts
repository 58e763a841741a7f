import { Busiest } from './busiest';
import { CounterFamily, HistogramFamily, OTHER } from './family';

/** Workflows of one process that have series of their own. */
const WORKFLOWS = 20;

/** How a run ended. */
export type RunResult = 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'crashed';

const CODE = /^[A-Z][A-Z0-9_]{0,39}$/;

function createMeters() {
  const runsEnded = new CounterFamily({
    name: 'runs_ended_total',
    help: 'Runs that ended in this process, by workflow (the busiest ones by id, the rest as "other") and result',
    labels: ['workflow', 'result'],
  });
  return {
    runsEnded,
    workflows: new Busiest({ limit: WORKFLOWS, onLoss: (id) => runsEnded.remove(id) }),
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

type Meters = ReturnType<typeof createMeters>;

const KEY = Symbol.for('weft.meters');
type Holder = { [KEY]?: Meters };

/** What this process counts. On `globalThis`, because the bundle of Next.js and that of the server count in the same numbers. */
export const meters: Meters = ((globalThis as Holder)[KEY] ??= createMeters());

/** The families, for `GET /metrics`. */
export const families = (): (CounterFamily | HistogramFamily)[] =>
  Object.values(meters).flatMap((one) => ('entries' in one ? one : []));

/** Counts a run that has ended. */
export const countRun = (workflowId: string, result: RunResult): void =>
  meters.runsEnded.count(meters.workflows.labelOf(workflowId), result);

/** Counts a failed attempt. A code that has not the form of a code is none of the service's own. */
export const countFailure = (type: string, code: string): void =>
  meters.nodeFailures.count(type, CODE.test(code) ? code : OTHER);

/** Counts an outgoing request. `result`: the status, or the code of the failure. */
export function countOutbound(result: number | string, seconds: number): void {
  meters.outboundRequests.count(typeof result === 'number' ? (CLASSES[Math.floor(result / 100)] ?? OTHER) : result);
  meters.outboundSeconds.observe(seconds);
}

const CLASSES = [OTHER, '1xx', '2xx', '3xx', '4xx', '5xx'];
