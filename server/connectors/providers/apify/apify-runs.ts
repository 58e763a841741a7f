import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  defineSteppedOperation,
  type ApiRequest,
  type OperationDefinition,
  type OperationSteps,
} from '../../operation';
import {
  booleanParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  listedParameter,
  numberParameter,
  valueLineParameter,
} from '../../parameters';
import { apifyRateLimit, apifyRunExample } from './apify-parameters';

// https://docs.apify.com/api/v2/actor-run-get
const FINISHED_STATUSES = ['SUCCEEDED', 'FAILED', 'TIMED-OUT', 'ABORTED'];
/** The service holds an answer about a run for so many seconds at most. */
const MAX_HELD_SECONDS = 60;

const runSettings = {
  input: jsonObjectParameter('Input').optional().describe('What the Actor reads; its page describes the fields'),
  timeout: countParameter('Time limit', 604_800).optional().describe('Seconds; default: that of the Actor'),
  memory: listedParameter(countParameter('Memory', 32_768), 'memories')
    .optional()
    .describe('MB; default: that of the Actor'),
  maxCharge: numberParameter('Highest cost').optional().describe('US dollars, for Actors that are paid by result'),
  build: valueLineParameter('Build', 'code', 100).optional().describe('Tag or number; default: that of the Actor'),
};
const waits = booleanParameter('Wait').optional().describe('Until the run has ended, well or not');
const actor = listedLineParameter('Actor', 'actors', [], 200).describe('Id, or user~name, e.g. apify~web-scraper');
const task = listedLineParameter('Task', 'tasks', [], 200).describe('Id, or user~name');

interface RunSettings {
  input?: Record<string, unknown> | undefined;
  timeout?: number | undefined;
  memory?: number | undefined;
  maxCharge?: number | undefined;
  build?: string | undefined;
}

interface ActorRun {
  id: string;
  status: string;
  defaultDatasetId?: string;
}

const startRequest = (path: string, { input, timeout, memory, maxCharge, build }: RunSettings): ApiRequest => ({
  method: 'POST',
  path: `${path}/runs`,
  // Zero is no limit.
  query: { timeout, memory, build, maxTotalChargeUsd: maxCharge === 0 ? undefined : maxCharge },
  body: { as: 'json', value: input ?? {} },
});

function readRun(body: unknown): ActorRun {
  const run = getAtPath(body, 'data') as Partial<ActorRun> | undefined;
  if (typeof run?.id === 'string' && typeof run.status === 'string') return run as ActorRun;
  throw new NodeFailure('BAD_RESPONSE', 'Apify answered without a run.', false);
}

/** Starts a run, and asks for it until it has ended. */
function* runToEnd(path: string, settings: RunSettings): Generator<ApiRequest, ActorRun, { body: unknown }> {
  let run = readRun((yield startRequest(path, settings)).body);
  while (!FINISHED_STATUSES.includes(run.status))
    run = readRun((yield { path: `/actor-runs/${run.id}`, query: { waitForFinish: MAX_HELD_SECONDS } }).body);
  return run;
}

function* startRun(path: string, settings: RunSettings, isAwaited: boolean | undefined): OperationSteps {
  if (isAwaited) return yield* runToEnd(path, settings);
  return readRun((yield startRequest(path, settings)).body);
}

/** The items of a run that has succeeded. Throws NodeFailure API_REFUSED for another one. */
function* runForItems(path: string, settings: RunSettings): OperationSteps {
  const { id, status, defaultDatasetId } = yield* runToEnd(path, settings);
  if (status !== 'SUCCEEDED' || defaultDatasetId === undefined)
    throw new NodeFailure('API_REFUSED', `The run ${id} of Apify has ended with the status ${status}.`, false);
  return (yield { path: `/datasets/${defaultDatasetId}/items`, query: { format: 'json' } }).body;
}

const actorPath = (id: string) => `/acts/${encodeURIComponent(id)}`;
const taskPath = (id: string) => `/actor-tasks/${encodeURIComponent(id)}`;
const itemsExample = [{ url: 'https://example.com', title: 'Example' }];

/** Operations that start runs. https://docs.apify.com/api/v2/act-runs-post */
export const apifyRunOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'actors.run',
    title: 'Run an Actor',
    help: 'Gives the run, at once or when it has ended.',
    limits: apifyRateLimit,
    parameters: { actor, ...runSettings, waits },
    example: apifyRunExample,
    *steps({ actor: id, waits: isAwaited, ...settings }) {
      return yield* startRun(actorPath(id), settings, isAwaited);
    },
  }),
  defineSteppedOperation({
    id: 'actors.run_for_items',
    title: 'Run an Actor and get its items',
    help: 'Waits until the run has succeeded, and gives the items of its dataset.',
    limits: apifyRateLimit,
    parameters: { actor, ...runSettings },
    example: itemsExample,
    *steps({ actor: id, ...settings }) {
      return yield* runForItems(actorPath(id), settings);
    },
  }),
  defineSteppedOperation({
    id: 'tasks.run',
    title: 'Run a task',
    help: 'Gives the run, at once or when it has ended.',
    limits: apifyRateLimit,
    parameters: { task, ...runSettings, waits },
    example: apifyRunExample,
    *steps({ task: id, waits: isAwaited, ...settings }) {
      return yield* startRun(taskPath(id), settings, isAwaited);
    },
  }),
  defineSteppedOperation({
    id: 'tasks.run_for_items',
    title: 'Run a task and get its items',
    help: 'Waits until the run has succeeded, and gives the items of its dataset.',
    limits: apifyRateLimit,
    parameters: { task, ...runSettings },
    example: itemsExample,
    *steps({ task: id, ...settings }) {
      return yield* runForItems(taskPath(id), settings);
    },
  }),
];
