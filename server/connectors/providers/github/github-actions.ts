import type { OperationDefinition } from '../../operation';
import {
  choiceParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  listedParameter,
  valueLineParameter,
} from '../../parameters';
import {
  GITHUB_REPOSITORY_FIELDS,
  githubBranchParameter,
  githubLinkPaging,
  githubPageSize,
  githubParameterNames,
  githubRateLimit,
  githubRepositoryParameters,
} from './github-parameters';

const inWorkflow = {
  ...githubRepositoryParameters,
  workflow: listedLineParameter('Workflow', 'workflows', GITHUB_REPOSITORY_FIELDS, 255).describe(
    'Id or file name, e.g. deploy.yml',
  ),
};
const githubWorkflowExample = { id: 161_335, name: 'Deploy', path: '.github/workflows/deploy.yml', state: 'active' };
const githubRunId = listedParameter(countParameter('Run', 2 ** 52), 'runs', GITHUB_REPOSITORY_FIELDS).describe(
  '`id` of the run',
);
const githubRunExample = {
  id: 30_433_642,
  name: 'Deploy',
  status: 'completed',
  conclusion: 'success',
  html_url: 'https://github.com/octocat/hello/actions/runs/30433642',
  created_at: '2026-01-31T08:15:30Z',
};

/** Operations of GitHub Actions. https://docs.github.com/rest/actions */
export const githubActionOperations: OperationDefinition[] = [
  {
    id: 'workflows.dispatch',
    title: 'Start a workflow of GitHub Actions',
    help: 'The workflow needs the trigger workflow_dispatch.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/repos/{owner}/{repo}/actions/workflows/{workflow}/dispatches',
    inPath: inWorkflow,
    inBody: {
      ref: githubBranchParameter('Branch').describe('Branch or tag'),
      inputs: jsonObjectParameter('Inputs').optional().describe('Names and values'),
    },
    example: null,
  },
  {
    id: 'workflows.list',
    title: 'List workflows of GitHub Actions',
    help: 'Of a repository.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/workflows',
    inPath: githubRepositoryParameters,
    inQuery: { limit: githubPageSize },
    names: githubParameterNames,
    items: 'workflows',
    paging: githubLinkPaging,
    example: { total_count: 1, workflows: [githubWorkflowExample] },
  },
  {
    id: 'workflows.get',
    title: 'Get a workflow of GitHub Actions',
    help: 'Its name, file and state.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/workflows/{workflow}',
    inPath: inWorkflow,
    example: githubWorkflowExample,
  },
  {
    id: 'workflows.enable',
    title: 'Enable a workflow of GitHub Actions',
    help: 'Its triggers start it again.',
    limits: githubRateLimit,
    method: 'PUT',
    path: '/repos/{owner}/{repo}/actions/workflows/{workflow}/enable',
    inPath: inWorkflow,
    example: null,
  },
  {
    id: 'workflows.disable',
    title: 'Disable a workflow of GitHub Actions',
    help: 'Nothing starts it any more.',
    limits: githubRateLimit,
    method: 'PUT',
    path: '/repos/{owner}/{repo}/actions/workflows/{workflow}/disable',
    inPath: inWorkflow,
    example: null,
  },
  {
    id: 'runs.list',
    title: 'List runs of GitHub Actions',
    help: 'Of all workflows of a repository, newest first.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs',
    inPath: githubRepositoryParameters,
    inQuery: {
      status: choiceParameter('Status', ['completed', 'success', 'failure', 'cancelled', 'in_progress', 'queued'])
        .optional()
        .describe('Only runs in this state'),
      branch: githubBranchParameter('Branch').optional().describe('Only runs of this branch'),
      limit: githubPageSize,
    },
    names: githubParameterNames,
    items: 'workflow_runs',
    paging: githubLinkPaging,
    example: { total_count: 1, workflow_runs: [githubRunExample] },
    poll: {
      title: 'Finished run of GitHub Actions',
      words: 'github trigger workflow run build failed ci',
      parameters: { status: 'completed', limit: 100 },
      items: 'input.body.workflow_runs',
      key: 'item.id',
    },
  },
  {
    id: 'runs.get',
    title: 'Get a run of GitHub Actions',
    help: 'Whether it has finished, and how.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/actions/runs/{run}',
    inPath: { ...githubRepositoryParameters, run: githubRunId },
    example: githubRunExample,
  },
  {
    id: 'runs.repeat',
    title: 'Repeat a run of GitHub Actions',
    help: 'With all its jobs.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/repos/{owner}/{repo}/actions/runs/{run}/rerun',
    inPath: { ...githubRepositoryParameters, run: githubRunId },
    example: {},
  },
  {
    id: 'events.dispatch',
    title: 'Send an event to GitHub Actions',
    help: 'Starts workflows with the trigger repository_dispatch.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/repos/{owner}/{repo}/dispatches',
    inPath: githubRepositoryParameters,
    inBody: {
      type: valueLineParameter('Type', 'not listed', 100).describe('Name of the event'),
      payload: jsonObjectParameter('Values').optional().describe('Up to ten names and values'),
    },
    names: { type: 'event_type', payload: 'client_payload' },
    example: null,
  },
];
