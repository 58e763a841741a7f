import { asN8nObject, type N8nObject } from '../../file';
import { isN8nExpression } from '../../n8n-expressions';
import { serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

const MAX_LIMIT = 250;

/** The workflow that is picked by its id or its address. */
function readWorkflowId(read: ParameterReader): string | undefined {
  const { __rl: isPicked, mode } = asN8nObject(read.conversion.node.parameters['workflowId']);
  const given = read.get('workflowId');
  if (isPicked !== true || mode !== 'url' || given === '') return read.idText('workflowId');
  const [, id] = isN8nExpression(given) ? [] : (/^.*\/workflow\/([0-9a-zA-Z]+)/s.exec(String(given)) ?? []);
  if (id === undefined) read.addTodo('Enter the id of its workflow: the address of it is none that can be read.');
  return id;
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
  plainCall(operation, (read) => ({ execution: read.idText('executionId'), ...more(read) }));

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
      tags: read.filledText('filters.tags'),
      name: read.filledText('filters.name'),
      project: read.filledText('filters.projectId'),
      withoutPins: read.value('filters.excludePinnedData'),
    })),
    'workflow.get': workflowCall('workflows.get'),
    'workflow.getVersion': workflowCall('workflows.get_version', (read) => ({ version: read.idText('versionId') })),
    'workflow.create': plainCall('workflows.create', (read) => ({
      content: read.jsonText('workflowObject') ?? {
        name: 'My workflow',
        nodes: [],
        connections: {},
        settings: {},
      },
    })),
    'workflow.update': workflowCall('workflows.update', (read) => ({ content: read.jsonText('workflowObject') })),
    'workflow.delete': workflowCall('workflows.delete'),
    'workflow.activate': workflowCall('workflows.activate', (read) => ({
      versionId: read.filledText('additionalFields.versionId'),
      name: read.filledText('additionalFields.name'),
      description: read.filledText('additionalFields.description'),
    })),
    'workflow.deactivate': workflowCall('workflows.deactivate'),
    'execution.getAll': listCall('executions.list', false, (read) => ({
      ofWorkflow: read.filledText('filters.workflowId'),
      status: read.text('filters.status'),
      ...readsData(read),
    })),
    'execution.get': executionCall('executions.get', readsData),
    'execution.delete': executionCall('executions.delete'),
    'credential.create': plainCall('credentials.create', (read) => ({
      name: read.text('name'),
      type: read.text('credentialTypeName'),
      data: read.jsonText('data'),
    })),
    'credential.delete': plainCall('credentials.delete', (read) => ({ credential: read.idText('credentialId') })),
    'credential.getSchema': plainCall('credentials.get_schema', (read) => ({ kind: read.text('credentialTypeName') })),
    'audit.generate': plainCall('audits.create', (read) => ({ options: read.value('additionalOptions') })),
  },
});
