import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ConnectorChoiceSource } from '../../choices';
import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';

const phantombusterLimits = 'Those of the plan: time of execution, and Phantoms at once.';
const agent = listedLineParameter('Phantom', 'agents', [], 50).describe('Id of the Phantom');
const container = valueLineParameter('Launch', 'earlier step', 50).describe('Id of the launch: containerId');
const LAUNCH_STATUSES = ['starting', 'running', 'finished', 'unknown', 'lauch error', 'never launched'];

const agentExample = { id: '1308386990292658', name: 'LinkedIn Profile Scraper', lastEndMessage: 'Execution finished' };
const containerExample = {
  id: '76426812',
  status: 'finished',
  endType: 'finished',
  exitCode: 0,
  createdAt: 1_769_847_330_000,
};

/** The result of a launch is a text of JSON; null: it has none. */
function readResult(body: unknown): unknown {
  const text = getAtPath(body, 'resultObject');
  if (typeof text !== 'string') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NodeFailure('BAD_RESPONSE', 'The result that PhantomBuster gives is no JSON.', false);
  }
}

/** Operations of PhantomBuster. https://hub.phantombuster.com/reference */
const phantombusterOperations: OperationDefinition[] = [
  {
    id: 'agents.list',
    title: 'List Phantoms',
    help: 'All of the workspace.',
    limits: phantombusterLimits,
    method: 'GET',
    path: '/agents/fetch-all',
    items: '',
    example: [agentExample],
  },
  {
    id: 'agents.get',
    title: 'Get a Phantom',
    help: 'With its settings and its argument.',
    limits: phantombusterLimits,
    method: 'GET',
    path: '/agents/fetch',
    inQuery: { agent },
    names: { agent: 'id' },
    example: agentExample,
  },
  {
    id: 'agents.delete',
    title: 'Delete a Phantom',
    help: 'With its launches, for ever.',
    limits: phantombusterLimits,
    method: 'POST',
    path: '/agents/delete',
    inBody: { agent },
    names: { agent: 'id' },
    example: {},
  },
  defineSteppedOperation({
    id: 'agents.launch',
    title: 'Launch a Phantom',
    help: 'Gives the id of the launch, or its state.',
    limits: phantombusterLimits,
    parameters: {
      agent,
      argument: jsonObjectParameter('Argument').optional().describe('In place of the stored one'),
      bonusArgument: jsonObjectParameter('Further argument').optional().describe('Added to the stored one'),
      manualLaunch: booleanParameter('As by hand').optional().describe('Counts as a launch by a person'),
      maxInstanceCount: countParameter('Launches at once', 1000)
        .optional()
        .describe('Nothing is launched if so many run'),
      saveArgument: valueLineParameter('Keep the argument', 'code', 100)
        .optional()
        .describe('As PhantomBuster names it'),
      getsState: booleanParameter('Get its state').optional().describe('Asks for the launch once it has begun'),
    },
    example: { containerId: '76426812' },
    *steps({ agent: id, argument, getsState, ...others }) {
      const value = { id, ...(argument === undefined ? {} : { arguments: argument }), ...others };
      const { body } = yield { method: 'POST', path: '/agents/launch', body: { as: 'json', value } };
      if (!getsState) return body;
      return (yield { path: '/containers/fetch', query: { id: getAtPath(body, 'containerId') } }).body;
    },
  }),
  defineSteppedOperation({
    id: 'agents.get_output',
    title: 'Get the output of a Phantom',
    help: 'Of its last launch: the log, or the result.',
    limits: phantombusterLimits,
    parameters: {
      agent,
      previousContainer: valueLineParameter('After the launch', 'earlier step', 50)
        .optional()
        .describe('Id of a launch: the output since then'),
      previousStatus: listedLineParameter('After the status', 'statuses', [], 30)
        .optional()
        .describe('That was known before'),
      previousEvent: countParameter('After the event', 2 ** 31)
        .optional()
        .describe('Number that was known before'),
      getsResult: booleanParameter('Get the result').optional().describe('In place of the log'),
    },
    example: { status: 'finished', output: 'Done', containerId: '76426812' },
    *steps({ agent: id, previousContainer, previousStatus, previousEvent, getsResult }) {
      const query = {
        id,
        prevContainerId: previousContainer,
        prevStatus: previousStatus,
        prevRuntimeEventIndex: previousEvent,
      };
      const { body } = yield { path: '/agents/fetch-output', query };
      if (!getsResult) return body;
      const path = '/containers/fetch-result-object';
      return readResult((yield { path, query: { id: getAtPath(body, 'containerId') } }).body);
    },
  }),
  {
    id: 'containers.get',
    title: 'Get a launch',
    help: 'Its state and times.',
    limits: phantombusterLimits,
    method: 'GET',
    path: '/containers/fetch',
    inQuery: { container },
    names: { container: 'id' },
    example: containerExample,
  },
  defineSteppedOperation({
    id: 'containers.get_result',
    title: 'Get the result of a launch',
    help: 'What the Phantom has found; empty if it has found nothing.',
    limits: phantombusterLimits,
    parameters: { container },
    example: [{ profileUrl: 'https://www.linkedin.com/in/ada' }],
    *steps({ container: id }) {
      return readResult((yield { path: '/containers/fetch-result-object', query: { id } }).body);
    },
  }),
];

const phantombusterChoices: Record<string, ConnectorChoiceSource> = {
  agents: { operation: 'agents.list', value: 'id', label: ['name'] },
  statuses: { choices: LAUNCH_STATUSES.map((value) => ({ value, label: value.replace('lauch', 'launch') })) },
};

export const phantombusterConnector: ConnectorDefinition = {
  id: 'phantombuster',
  name: 'PhantomBuster',
  description: 'Phantoms that collect data of social networks.',
  synonyms: ['phantom', 'scraping', 'linkedin', 'leads', 'automation', 'agent'],
  flow: 'token',
  apiUrl: 'https://api.phantombuster.com/api/v2',
  scopes: {},
  token: {
    title: 'API key',
    setup: 'In PhantomBuster open the settings of the workspace, and create a key under "API keys".',
    fields: [
      {
        name: 'token',
        title: 'API key',
        hint: '43 characters',
        isSecret: true,
        pattern: /^[\w+/=-]{15,200}$/,
        rule: 'must be an API key of PhantomBuster',
      },
    ],
    headers: { 'X-Phantombuster-Key': '{token}' },
  },
  setup: 'Nothing has to be registered: a workspace has API keys.',
  probe: { path: '/agents/fetch-all' },
  choices: phantombusterChoices,
  operations: phantombusterOperations,
};
