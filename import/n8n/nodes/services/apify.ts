import { asN8nObject, type N8nObject } from '../../file';
import type { NodeConverter } from '../../conversion';
import { serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

/** The package waits for a run for a day at most; a node of Weft waits no longer either. */
const RUN_LIMIT_MS = 86_400_000;

/** The id that is picked, or that is in the address of a page of Apify. */
function readPick(read: ParameterReader, name: string, page: string): string | undefined {
  const { __rl: isPicked, mode } = asN8nObject(read.conversion.node.parameters[name]);
  if (isPicked !== true || mode !== 'url' || read.isEmpty(name)) return read.idText(name);
  const [, id] = new RegExp(`https://console.apify.com/${page}/([a-zA-Z0-9]+)`).exec(String(read.get(name))) ?? [];
  if (id === undefined) read.addTodo('Enter its id: the address of it is none that can be read.');
  return id;
}

/** A setting that the package leaves out where it is no number. */
function readNumber(read: ParameterReader, path: string): unknown {
  const given = read.get(path);
  return typeof given === 'object' ? undefined : read.value(path);
}

/** What the run reads, a text of JSON. A task has its own unless the node says otherwise. */
function readInput(read: ParameterReader): unknown {
  if (read.get('resource') === 'Actor tasks' && !read.isSet('useCustomBody')) return undefined;
  return read.jsonText('customBody');
}

const readSettings = (read: ParameterReader): N8nObject => ({
  input: readInput(read),
  timeout: readNumber(read, 'timeout'),
  memory: read.get('memory') === undefined ? USUAL_MEMORY : readNumber(read, 'memory'),
  maxCharge: readNumber(read, 'maxTotalChargeUsd'),
  build: read.filledText('build'),
});

/** Whether it waits: a number counts, too. */
function readWait(read: ParameterReader): boolean {
  const given = read.get('waitForFinish') ?? true;
  if (typeof given === 'string') read.addTodo('Choose whether it waits for the end of the run: n8n computes that.');
  return Boolean(given);
}

const actorOf = (read: ParameterReader) => ({ actor: readPick(read, 'actorId', 'actors') });
const taskOf = (read: ParameterReader) => ({ task: readPick(read, 'actorTaskId', 'actors/tasks') });

/** Megabytes that the package asks for where nothing else is chosen. */
const USUAL_MEMORY = 1024;

const runCall =
  (operation: string, readOwn: (read: ParameterReader) => N8nObject): ConnectorCallBuilder =>
  (read) => ({
    operation,
    parameters: { ...readOwn(read), ...readSettings(read), waits: readWait(read) || undefined },
  });

const itemsCall =
  (operation: string, readOwn: (read: ParameterReader) => N8nObject): ConnectorCallBuilder =>
  (read) => ({ operation, parameters: { ...readOwn(read), ...readSettings(read) }, isList: true });

const convertCalls = serviceConverter({
  connector: 'apify',
  name: 'Apify',
  resource: 'Actors',
  operation: { Actors: 'Run actor', 'Actor tasks': 'Run task', Datasets: 'Get items' },
  calls: {
    'Actors.Run actor': runCall('actors.run', actorOf),
    'Actors.Run actor and get dataset': itemsCall('actors.run_for_items', actorOf),
    'Actor tasks.Run task': runCall('tasks.run', taskOf),
    'Actor tasks.Run task and get dataset': itemsCall('tasks.run_for_items', taskOf),
    'Actor runs.Get run': (read) => ({
      operation: 'runs.get',
      parameters: { run: readPick(read, 'runId', 'actors(?:/[a-zA-Z0-9]+)?/runs') },
      path: '.body.data',
    }),
    'Datasets.Get items': (read) => ({
      operation: 'datasets.list_items',
      parameters: {
        dataset: read.idText('datasetId'),
        offset: readNumber(read, 'offset') || undefined,
        limit: readNumber(read, 'limit') ?? 50,
        fields: read.filledText('options.fields'),
        omit: read.filledText('options.omit'),
      },
      isList: true,
    }),
  },
});

/** The node of Apify's own package. */
export const convertApify: NodeConverter = (conversion) => {
  const call = convertCalls(conversion);
  const { node } = call;
  const isRun = /^(?:actors|tasks)\.run/.test(String(node.config['operation']));
  return isRun ? { ...call, node: { ...node, timeoutMs: RUN_LIMIT_MS } } : call;
};
