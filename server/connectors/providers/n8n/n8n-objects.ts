import type { OperationDefinition } from '../../operation';
import {
  booleanParameter,
  contentLineParameter,
  jsonObjectParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import { n8nLimits, n8nListOperation, n8nProjectId } from './n8n-parameters';

const n8nExecutionId = listedLineParameter('Execution', 'executions', [], 50).describe('Number of the execution');
const n8nExecutionData = booleanParameter('With data').optional().describe('Also what each node gave');
const n8nExecutionExample = {
  id: '1000',
  finished: true,
  mode: 'trigger',
  status: 'success',
  startedAt: '2026-01-31T08:15:30.000Z',
  stoppedAt: '2026-01-31T08:15:31.000Z',
  workflowId: '2tUt1wbLX592XDdX',
};
const n8nCredentialType = valueLineParameter('Type', 'code', 200).describe(
  'Name of the kind, e.g. githubApi or slackApi',
);
const n8nCredentialExample = {
  id: 'R2DjclaysHbqn778',
  name: 'GitHub of Ada',
  type: 'githubApi',
  createdAt: '2026-01-31T08:15:30.000Z',
  updatedAt: '2026-01-31T08:15:30.000Z',
};

/** Operations with executions of n8n. https://docs.n8n.io/api/api-reference/ */
export const n8nExecutionOperations: OperationDefinition[] = [
  n8nListOperation({
    id: 'executions.list',
    title: 'List executions',
    help: 'Newest first, of all workflows or of one.',
    path: '/executions',
    inQuery: {
      ofWorkflow: listedLineParameter('Workflow', 'workflows', [], 100).optional().describe('Default: all'),
      status: listedLineParameter('Status', 'statuses', [], 20).optional().describe('Default: all'),
      project: n8nProjectId,
      includeData: n8nExecutionData,
    },
    names: { ofWorkflow: 'workflowId', project: 'projectId' },
    example: { data: [n8nExecutionExample], nextCursor: null },
  }),
  {
    id: 'executions.get',
    title: 'Get an execution',
    help: 'Its state and times.',
    limits: n8nLimits,
    method: 'GET',
    path: '/executions/{execution}',
    inPath: { execution: n8nExecutionId },
    inQuery: { includeData: n8nExecutionData },
    example: n8nExecutionExample,
  },
  {
    id: 'executions.delete',
    title: 'Delete an execution',
    help: 'With its data, for ever.',
    limits: n8nLimits,
    method: 'DELETE',
    path: '/executions/{execution}',
    inPath: { execution: n8nExecutionId },
    example: { ...n8nExecutionExample, id: 1000 },
  },
  {
    id: 'executions.retry',
    title: 'Retry an execution',
    help: 'Starts a new execution from the one that failed.',
    limits: n8nLimits,
    method: 'POST',
    path: '/executions/{execution}/retry',
    inPath: { execution: n8nExecutionId },
    inBody: {
      loadWorkflow: booleanParameter('As it is now').optional().describe('Runs the workflow as it is saved now'),
    },
    example: { ...n8nExecutionExample, mode: 'retry' },
  },
];

/** Operations with credentials, tags, users and projects of n8n. */
export const n8nObjectOperations: OperationDefinition[] = [
  n8nListOperation({
    id: 'credentials.list',
    title: 'List credentials',
    help: 'Without their secrets.',
    path: '/credentials',
    example: { data: [n8nCredentialExample], nextCursor: null },
  }),
  {
    id: 'credentials.create',
    title: 'Create a credential',
    help: 'With the fields that its kind has.',
    limits: n8nLimits,
    method: 'POST',
    path: '/credentials',
    inBody: {
      name: contentLineParameter('Name', 128).describe('One line'),
      type: n8nCredentialType,
      data: jsonObjectParameter('Fields').describe('What Get the fields of a kind names'),
    },
    example: n8nCredentialExample,
  },
  {
    id: 'credentials.delete',
    title: 'Delete a credential',
    help: 'Workflows that use it fail from now on.',
    limits: n8nLimits,
    method: 'DELETE',
    path: '/credentials/{credential}',
    inPath: { credential: listedLineParameter('Credential', 'credentials', [], 100).describe('Id of the credential') },
    example: n8nCredentialExample,
  },
  {
    id: 'credentials.get_schema',
    title: 'Get the fields of a kind of credentials',
    help: 'As a JSON Schema.',
    limits: n8nLimits,
    method: 'GET',
    path: '/credentials/schema/{kind}',
    inPath: { kind: n8nCredentialType },
    example: { type: 'object', properties: { accessToken: { type: 'string' } }, required: [] },
  },
  n8nListOperation({
    id: 'tags.list',
    title: 'List tags',
    help: 'Of workflows.',
    path: '/tags',
    example: { data: [{ id: '1', name: 'Production' }], nextCursor: null },
  }),
  n8nListOperation({
    id: 'users.list',
    title: 'List users',
    help: 'Needs the key of an owner or an administrator.',
    path: '/users',
    inQuery: {
      includeRole: booleanParameter('With roles').optional().describe('Also the role of each user'),
      project: n8nProjectId,
    },
    names: { project: 'projectId' },
    example: { data: [{ id: '1', email: 'ada@example.com', firstName: 'Ada' }], nextCursor: null },
  }),
  n8nListOperation({
    id: 'projects.list',
    title: 'List projects',
    help: 'Needs a paid plan of n8n.',
    path: '/projects',
    example: { data: [{ id: 'VmwOO9HeTEj20kxM', name: 'Marketing', type: 'team' }], nextCursor: null },
  }),
  {
    id: 'audits.create',
    title: 'Check security',
    help: 'Reports of risks in credentials, nodes, files and the instance.',
    limits: n8nLimits,
    method: 'POST',
    path: '/audit',
    inBody: {
      options: jsonObjectParameter('Options')
        .optional()
        .describe('categories: a list; daysAbandonedWorkflow: a number of days'),
    },
    names: { options: 'additionalOptions' },
    example: { 'Credentials Risk Report': { risk: 'credentials', sections: [] } },
  },
];
