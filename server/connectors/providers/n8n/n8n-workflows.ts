import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  contentLineParameter,
  jsonObjectParameter,
  listedJoinedParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  n8nLimits,
  n8nListOperation,
  n8nPinnedFlag,
  n8nProjectId,
  n8nWorkflowExample,
  n8nWorkflowId,
} from './n8n-parameters';

const WORKFLOW_FIELDS = ['name', 'nodes', 'connections', 'settings', 'staticData'] as const;

/** The API refuses a workflow with other fields, such as those that it gives itself. */
const pickWrittenFields = (workflow: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(WORKFLOW_FIELDS.flatMap((name) => (workflow[name] ? [[name, workflow[name]]] : [])));

const workflowContent = jsonObjectParameter('Content').describe(
  'The workflow as n8n exports it: name, nodes, connections and settings',
);

const workflowVersion = (title: string) => listedLineParameter(title, 'versions', ['workflow'], 100);

/** The path of a workflow. Its id comes from an expression, so it is encoded. */
const workflowPath = (id: string) => `/workflows/${encodeURIComponent(id)}`;

/** Operations with workflows of n8n. https://docs.n8n.io/api/api-reference/ */
export const n8nWorkflowOperations: OperationDefinition[] = [
  n8nListOperation({
    id: 'workflows.list',
    title: 'List workflows',
    help: 'With their nodes, by tags, name or state.',
    path: '/workflows',
    inQuery: {
      active: booleanParameter('Published').optional().describe('Only published ones, or only others'),
      tags: listedJoinedParameter('Tags', 'tags', [], 2000).optional().describe('Names; a workflow has all of them'),
      name: valueLineParameter('Name', 'search', 200).optional().describe('A part of the name'),
      project: n8nProjectId,
      withoutPins: n8nPinnedFlag,
    },
    names: { project: 'projectId', withoutPins: 'excludePinnedData' },
    example: { data: [n8nWorkflowExample], nextCursor: null },
  }),
  {
    id: 'workflows.get',
    title: 'Get a workflow',
    help: 'With its nodes, connections and settings.',
    limits: n8nLimits,
    method: 'GET',
    path: '/workflows/{workflow}',
    inPath: { workflow: n8nWorkflowId },
    inQuery: { withoutPins: n8nPinnedFlag },
    names: { withoutPins: 'excludePinnedData' },
    example: n8nWorkflowExample,
  },
  {
    id: 'workflows.get_version',
    title: 'Get a version of a workflow',
    help: 'From its history.',
    limits: n8nLimits,
    method: 'GET',
    path: '/workflows/{workflow}/{version}',
    inPath: {
      workflow: n8nWorkflowId,
      version: workflowVersion('Version').describe('Id of the version'),
    },
    example: { versionId: 'abc123-def456-ghi789', workflowId: '2tUt1wbLX592XDdX', nodes: [], connections: {} },
  },
  n8nListOperation({
    id: 'workflows.list_versions',
    title: 'List versions of a workflow',
    help: 'Newest first, without their nodes.',
    path: '/workflows/{workflow}/history',
    inPath: { workflow: n8nWorkflowId },
    example: {
      data: [
        { versionId: 'abc123', workflowId: '1', authors: 'Ada', name: 'First', createdAt: '2026-01-31T08:15:30.000Z' },
      ],
      nextCursor: null,
    },
  }),
  defineSteppedOperation({
    id: 'workflows.create',
    title: 'Create a workflow',
    help: 'It is not published. Fields that only n8n writes are left out.',
    limits: n8nLimits,
    parameters: { content: workflowContent },
    example: { ...n8nWorkflowExample, active: false },
    *steps({ content }) {
      const empty = { name: 'My workflow', nodes: [], connections: {}, settings: {}, staticData: null };
      const value = { ...empty, ...pickWrittenFields(content) };
      return (yield { method: 'POST', path: '/workflows', body: { as: 'json', value } }).body;
    },
  }),
  defineSteppedOperation({
    id: 'workflows.update',
    title: 'Update a workflow',
    help: 'Replaces its content. A published workflow is published again.',
    limits: n8nLimits,
    parameters: { workflow: n8nWorkflowId, content: workflowContent },
    example: n8nWorkflowExample,
    *steps({ workflow, content }) {
      const body = { as: 'json', value: pickWrittenFields(content) } as const;
      return (yield { method: 'PUT', path: workflowPath(workflow), body }).body;
    },
  }),
  {
    id: 'workflows.delete',
    title: 'Delete a workflow',
    help: 'For ever.',
    limits: n8nLimits,
    method: 'DELETE',
    path: '/workflows/{workflow}',
    inPath: { workflow: n8nWorkflowId },
    example: n8nWorkflowExample,
  },
  {
    id: 'workflows.activate',
    title: 'Publish a workflow',
    help: 'Its triggers start it from now on.',
    limits: n8nLimits,
    method: 'POST',
    path: '/workflows/{workflow}/activate',
    inPath: { workflow: n8nWorkflowId },
    inBody: {
      versionId: workflowVersion('Version').optional().describe('Id; default: the latest one'),
      name: contentLineParameter('Name', 200).optional().describe('Of the published version'),
      description: multilineParameter('Description', 10_000).optional().describe('Of the published version'),
    },
    example: n8nWorkflowExample,
  },
  {
    id: 'workflows.deactivate',
    title: 'Unpublish a workflow',
    help: 'Its triggers start it no more.',
    limits: n8nLimits,
    method: 'POST',
    path: '/workflows/{workflow}/deactivate',
    inPath: { workflow: n8nWorkflowId },
    example: { ...n8nWorkflowExample, active: false },
  },
];
