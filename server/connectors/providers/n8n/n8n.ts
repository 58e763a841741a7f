import type { ConnectorChoiceSource } from '../../choices';
import { HOST_NAME_PATTERN, HOST_NAME_RULE, type ConnectorDefinition } from '../../connector';
import { n8nExecutionOperations, n8nObjectOperations } from './n8n-objects';
import { n8nWorkflowOperations } from './n8n-workflows';

const EXECUTION_STATUSES = ['canceled', 'crashed', 'error', 'new', 'running', 'success', 'unknown', 'waiting'];
const page = { parameters: { limit: 100 } };

/** What the parameters of n8n are picked from. */
const n8nChoices: Record<string, ConnectorChoiceSource> = {
  workflows: {
    parameters: { limit: 100, withoutPins: true },
    operation: 'workflows.list',
    value: 'id',
    label: ['name'],
  },
  versions: {
    ...page,
    parametersFrom: { workflow: 'workflow' },
    operation: 'workflows.list_versions',
    value: 'versionId',
    label: ['{name}: {createdAt}', 'createdAt'],
    hint: 'authors',
  },
  executions: { ...page, operation: 'executions.list', value: 'id', label: ['{id}: {status}'], hint: 'startedAt' },
  credentials: { ...page, operation: 'credentials.list', value: 'id', label: ['name'], hint: 'type' },
  tags: { ...page, operation: 'tags.list', value: 'name', label: ['name'] },
  projects: { ...page, operation: 'projects.list', value: 'id', label: ['name'] },
  statuses: { choices: EXECUTION_STATUSES.map((value) => ({ value, label: value })) },
};

export const n8nConnector: ConnectorDefinition = {
  id: 'n8n',
  name: 'n8n',
  description: 'Workflows, executions and credentials of an n8n.',
  synonyms: ['automation', 'workflow', 'backup', 'execution', 'instance'],
  flow: 'token',
  // https://docs.n8n.io/api/
  apiUrl: 'https://{host}/api/v1',
  scopes: {},
  parameters: [
    {
      name: 'host',
      title: 'Host',
      hint: 'e.g. n8n.example.com or acme.app.n8n.cloud',
      required: true,
      pattern: HOST_NAME_PATTERN,
      rule: HOST_NAME_RULE,
    },
  ],
  // https://docs.n8n.io/api/authentication/
  token: {
    title: 'API key',
    setup: 'In n8n open "Settings" > "n8n API" and create a key. The n8n must be reachable by https.',
    fields: [
      {
        name: 'token',
        title: 'API key',
        hint: 'As n8n shows it once',
        isSecret: true,
        pattern: /^[\w.-]{20,2000}$/,
        rule: 'must be an API key of n8n',
      },
    ],
    headers: { 'X-N8N-API-KEY': '{token}' },
  },
  setup: 'Nothing has to be registered: a user has API keys.',
  // n8n tests a key in the same way.
  probe: { path: '/credentials/schema/n8nApi' },
  choices: n8nChoices,
  operations: [...n8nWorkflowOperations, ...n8nExecutionOperations, ...n8nObjectOperations],
};
