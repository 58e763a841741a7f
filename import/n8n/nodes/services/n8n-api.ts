import { asN8nObject, type N8nObject } from '../../file';
import { convertJsonText, isN8nExpression } from '../../n8n-expressions';
import { writeTextSource } from '../../items/parameter-source';
import { serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

const MAX_LIMIT = 250;

const sourceText = (read: ParameterReader, given: string): string =>
  writeTextSource(given, read.expressions.reportLost);

/** An id: n8n also takes the number of one, and refuses what is null. */
function readId(read: ParameterReader, path: string): string | undefined {
  const given = read.get(path);
  return isN8nExpression(given) && given !== '='
    ? `{{ ${sourceText(read, String(given))}?.toString() }}`
    : read.text(path);
}

/** A text that n8n leaves out where it is empty. */
function readFilter(read: ParameterReader, path: string): string | undefined {
  if (read.isEmpty(path)) return undefined;
  const given = read.get(path);
  return isN8nExpression(given) && given !== '=' ? `{{ ${sourceText(read, String(given))} || null }}` : read.text(path);
}

/** The workflow that is picked by its id or its address. */
function readWorkflowId(read: ParameterReader): string | undefined {
  const { __rl: isPicked, mode } = asN8nObject(read.conversion.node.parameters['workflowId']);
  const given = read.get('workflowId');
  if (isPicked !== true || mode !== 'url' || given === '') return readId(read, 'workflowId');
  const [, id] = isN8nExpression(given) ? [] : (/.*\/workflow\/([0-9a-zA-Z]+)/.exec(String(given)) ?? []);
  if (id === undefined) read.addTodo('Enter the id of its workflow: the address of it is none that can be read.');
  return id;
}

/** A text of JSON, whose expressions may stand anywhere in it. */
function readJsonText(read: ParameterReader, path: string): unknown {
  const given = read.get(path);
  if (typeof given !== 'string' || given.trim() === '') return undefined;
  const found = convertJsonText(given, read.expressions);
  if (!found) read.addTodo('Check its JSON: n8n cannot read it either.');
  return found?.value;
}

/** What n8n offers for every node of this form. */
function reportRequestOptions(read: ParameterReader): void {
  const { batching: _, ...others } = asN8nObject(read.get('requestOptions'));
  const names = Object.keys(others).filter((name) => others[name] !== false);
  if (names.length > 0) read.addTodo(`These options of it are left out: ${names.join(', ')}.`);
}

/** The pages of a list. `isWhole`: all of them, unless the node says otherwise. */
function readPages(read: ParameterReader, isWhole: boolean): { parameters: N8nObject; path: string } {
  const all = read.get('returnAll') ?? isWhole;
  if (all === true) return { parameters: { allPages: true }, path: '.body' };
  if (all !== false) read.addTodo('Choose whether it gives all: n8n computes that.');
  const limit = read.get('limit') ?? 100;
  if (typeof limit === 'number' && !(limit >= 1 && limit <= MAX_LIMIT))
    read.addTodo(`Enter how many it gives, at most ${MAX_LIMIT}: n8n refuses ${limit}.`);
  return { parameters: { limit: read.value('limit') ?? 100 }, path: '.body.data' };
}

/** A list of the API; each item of the answer is one of n8n. */
const listCall =
  (operation: string, isWhole: boolean, readFilters: (read: ParameterReader) => N8nObject): ConnectorCallBuilder =>
  (read) => {
    reportRequestOptions(read);
    const { parameters, path } = readPages(read, isWhole);
    return { operation, parameters: { ...readFilters(read), ...parameters }, path, isList: true };
  };

/** A call that gives what the API answers. */
const plainCall =
  (operation: string, readParameters: (read: ParameterReader) => N8nObject): ConnectorCallBuilder =>
  (read) => {
    reportRequestOptions(read);
    return { operation, parameters: readParameters(read) };
  };

const workflowCall = (operation: string, more: (read: ParameterReader) => N8nObject = () => ({})) =>
  plainCall(operation, (read) => ({ workflow: readWorkflowId(read), ...more(read) }));

const executionCall = (operation: string, more: (read: ParameterReader) => N8nObject = () => ({})) =>
  plainCall(operation, (read) => ({ execution: readId(read, 'executionId'), ...more(read) }));

const readsData = (read: ParameterReader): N8nObject => ({ includeData: read.value('options.activeWorkflows') });

/** n8n's node for the API of an n8n. */
export const convertN8nApi = serviceConverter({
  connector: 'n8n',
  name: 'n8n',
  resource: 'workflow',
  operation: { workflow: 'getAll', execution: 'getAll', credential: 'create', audit: 'generate' },
  calls: {
    'workflow.getAll': listCall('workflows.list', true, (read) => ({
      active: read.value('filters.activeWorkflows'),
      tags: readFilter(read, 'filters.tags'),
      name: readFilter(read, 'filters.name'),
      project: readFilter(read, 'filters.projectId'),
      withoutPins: read.value('filters.excludePinnedData'),
    })),
    'workflow.get': workflowCall('workflows.get'),
    'workflow.getVersion': workflowCall('workflows.get_version', (read) => ({ version: readId(read, 'versionId') })),
    'workflow.create': plainCall('workflows.create', (read) => ({
      content: readJsonText(read, 'workflowObject') ?? {
        name: 'My workflow',
        nodes: [],
        connections: {},
        settings: {},
      },
    })),
    'workflow.update': workflowCall('workflows.update', (read) => ({ content: readJsonText(read, 'workflowObject') })),
    'workflow.delete': workflowCall('workflows.delete'),
    'workflow.activate': workflowCall('workflows.activate', (read) => ({
      versionId: readFilter(read, 'additionalFields.versionId'),
      name: readFilter(read, 'additionalFields.name'),
      description: readFilter(read, 'additionalFields.description'),
    })),
    'workflow.deactivate': workflowCall('workflows.deactivate'),
    'execution.getAll': listCall('executions.list', false, (read) => ({
      ofWorkflow: readFilter(read, 'filters.workflowId'),
      status: read.text('filters.status'),
      ...readsData(read),
    })),
    'execution.get': executionCall('executions.get', readsData),
    'execution.delete': executionCall('executions.delete'),
    'credential.create': plainCall('credentials.create', (read) => ({
      name: read.text('name'),
      type: read.text('credentialTypeName'),
      data: readJsonText(read, 'data'),
    })),
    'credential.delete': plainCall('credentials.delete', (read) => ({ credential: readId(read, 'credentialId') })),
    'credential.getSchema': plainCall('credentials.get_schema', (read) => ({ kind: read.text('credentialTypeName') })),
    'audit.generate': plainCall('audits.create', (read) => ({ options: read.value('additionalOptions') })),
  },
});
