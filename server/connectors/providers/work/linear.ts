import type { ConnectorDefinition } from '../../connector';
import { linearChoices, linearGraphqlRequest, linearListOperations, linearRateLimit } from './linear-lists';
import { defineSteppedOperation } from '../../operation';
import {
  contentLineParameter,
  countParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { linearSubscriptions } from '../../subscriptions/linear';

const LINEAR_ISSUE_FIELDS = 'id identifier title url createdAt state { name } assignee { name email } team { key }';
const linearIssueId = listedLineParameter('Issue', 'issues', [], 100).describe('Id or number, e.g. ENG-42');
const linearIssueParameters = {
  description: multilineParameter('Description', 100_000).optional().describe('Markdown'),
  state: listedLineParameter('Status', 'states', ['team?'], 100).optional().describe('Id of the status'),
  assignee: listedLineParameter('Assignee', 'users', [], 100).optional().describe('Id of the user'),
  priority: countParameter('Priority', 4).optional().describe('1 urgent, 2 high, 3 normal, 4 low'),
  labels: listedLineListParameter('Labels', 'labels', ['team?']).optional().describe('Ids of labels'),
  project: listedLineParameter('Project', 'projects', [], 100).optional().describe('Id of the project'),
};
const linearPageSize = countParameter('Items', 250).optional().describe('At most 250; default 50');

const linearIssueExample = {
  id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
  identifier: 'ENG-42',
  title: 'Login fails',
  url: 'https://linear.app/acme/issue/ENG-42',
  createdAt: '2026-01-31T08:15:30.000Z',
  state: { name: 'Todo' },
};

interface LinearIssueDetails {
  title?: string | undefined;
  description?: string | undefined;
  state?: string | undefined;
  assignee?: string | undefined;
  priority?: number | undefined;
  labels?: string[] | undefined;
  project?: string | undefined;
}
const toLinearInput = ({ title, description, state, assignee, priority, labels, project }: LinearIssueDetails) => ({
  title,
  description,
  stateId: state,
  assigneeId: assignee,
  priority,
  labelIds: labels,
  projectId: project,
});

export const linearConnector: ConnectorDefinition = {
  id: 'linear',
  name: 'Linear',
  description: 'Issues, comments, teams and projects.',
  synonyms: ['issue', 'ticket', 'bug', 'project', 'tasks', 'agile'],
  flow: 'token',
  apiUrl: 'https://api.linear.app',
  scopes: {},
  token: {
    title: 'API key',
    setup: 'In Linear open "Settings" > "Security & access" and create a personal API key.',
    fields: [
      {
        name: 'token',
        title: 'API key',
        hint: 'Begins with lin_api_',
        isSecret: true,
        pattern: /^lin_api_\w{20,100}$/,
        rule: 'must be an API key of Linear, such as lin_api_…',
      },
    ],
    headers: { Authorization: '{token}' },
  },
  refusal: { kind: 'errors', at: 'errors' },
  setup: 'Nothing has to be registered: a user has API keys.',
  probe: { path: '/graphql', method: 'POST', body: { query: '{ viewer { id } }' } },
  // 2,500 calls an hour for a user with an API key.
  limits: { perMinute: 41, source: 'https://linear.app/developers/rate-limiting' },
  choices: linearChoices,
  subscriptions: linearSubscriptions,
  operations: [
    defineSteppedOperation({
      id: 'issues.list',
      title: 'List issues',
      help: 'Newest first, of all teams or of one.',
      limits: linearRateLimit,
      parameters: {
        team: listedLineParameter('Team', 'teamKeys', [], 20).optional().describe('Key of the team, e.g. ENG'),
        createdSince: valueLineParameter('Created since', 'quantity', 64).optional().describe('ISO 8601'),
        limit: linearPageSize,
      },
      *steps({ team, createdSince, limit: first = 50 }) {
        const filter = {
          ...(team === undefined ? {} : { team: { key: { eq: team } } }),
          ...(createdSince === undefined ? {} : { createdAt: { gte: createdSince } }),
        };
        const source = `query($filter: IssueFilter, $first: Int) { issues(filter: $filter, first: $first, orderBy: createdAt) { nodes { ${LINEAR_ISSUE_FIELDS} } } }`;
        return getAtPath((yield linearGraphqlRequest(source, { filter, first })).body, 'data.issues.nodes');
      },
      example: [linearIssueExample],
      poll: {
        title: 'New issue',
        words: 'linear trigger issue created ticket',
        parameters: { createdSince: '{{ cursor }}', limit: 250 },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.createdAt)[-1]',
      },
    }),
    defineSteppedOperation({
      id: 'issues.get',
      title: 'Get an issue',
      help: 'Title, description, status and assignee.',
      limits: linearRateLimit,
      parameters: { issue: linearIssueId },
      *steps({ issue: id }) {
        const source = `query($id: String!) { issue(id: $id) { ${LINEAR_ISSUE_FIELDS} description } }`;
        return getAtPath((yield linearGraphqlRequest(source, { id })).body, 'data.issue');
      },
      example: linearIssueExample,
    }),
    defineSteppedOperation({
      id: 'issues.create',
      title: 'Create an issue',
      help: 'In a team, with a description and labels.',
      limits: linearRateLimit,
      parameters: {
        team: listedLineParameter('Team', 'teams', [], 100).describe('Id of the team'),
        title: contentLineParameter('Title', 512).describe('One line'),
        ...linearIssueParameters,
      },
      *steps({ team, ...given }) {
        const source = `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${LINEAR_ISSUE_FIELDS} } } }`;
        const { body } = yield linearGraphqlRequest(source, { input: { teamId: team, ...toLinearInput(given) } });
        return getAtPath(body, 'data.issueCreate.issue');
      },
      example: linearIssueExample,
    }),
    defineSteppedOperation({
      id: 'issues.update',
      title: 'Update an issue',
      help: 'Changes what is given.',
      limits: linearRateLimit,
      parameters: {
        team: listedLineParameter('Team', 'teams', [], 100).optional().describe('Only to pick status and labels'),
        issue: linearIssueId,
        title: contentLineParameter('Title', 512).optional().describe('One line'),
        ...linearIssueParameters,
      },
      *steps({ team: _, issue: id, ...given }) {
        const source = `mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { issue { ${LINEAR_ISSUE_FIELDS} } } }`;
        return getAtPath(
          (yield linearGraphqlRequest(source, { id, input: toLinearInput(given) })).body,
          'data.issueUpdate.issue',
        );
      },
      example: linearIssueExample,
    }),
    defineSteppedOperation({
      id: 'comments.create',
      title: 'Comment on an issue',
      help: 'Adds a comment.',
      limits: linearRateLimit,
      parameters: { issue: linearIssueId, text: multilineParameter('Text', 100_000).describe('Markdown') },
      *steps({ issue: issueId, text: body }) {
        const source =
          'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id body url } } }';
        return getAtPath(
          (yield linearGraphqlRequest(source, { input: { issueId, body } })).body,
          'data.commentCreate.comment',
        );
      },
      example: { id: 'c1', body: 'Fixed', url: 'https://linear.app/acme/issue/ENG-42#comment-c1' },
    }),
    defineSteppedOperation({
      id: 'teams.list',
      title: 'List teams',
      help: 'With their ids and statuses.',
      limits: linearRateLimit,
      parameters: {},
      *steps() {
        return getAtPath(
          (yield linearGraphqlRequest('{ teams { nodes { id key name states { nodes { id name } } } } }', {})).body,
          'data.teams.nodes',
        );
      },
      example: [{ id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', key: 'ENG', name: 'Engineering', states: { nodes: [] } }],
    }),
    defineSteppedOperation({
      id: 'users.list',
      title: 'List users',
      help: 'With their ids and email addresses.',
      limits: linearRateLimit,
      parameters: {},
      *steps() {
        return getAtPath(
          (yield linearGraphqlRequest('{ users { nodes { id name email active } } }', {})).body,
          'data.users.nodes',
        );
      },
      example: [{ id: 'u1', name: 'Ada', email: 'ada@example.com', active: true }],
    }),
    ...linearListOperations,
  ],
};
