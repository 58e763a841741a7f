import type { Connector } from '../../connector';
import { stepped, type ApiRequest } from '../../operation';
import { count, text, word, words } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';

// https://linear.app/developers/graphql
const query = (source: string, variables: Record<string, unknown>): ApiRequest => ({
  method: 'POST',
  path: '/graphql',
  body: { as: 'json', value: { query: source, variables } },
});
const ISSUE = 'id identifier title url createdAt state { name } assignee { name email } team { key }';
const issue = word('Issue', 100).describe('Id or number, e.g. ENG-42');
const details = {
  description: text('Description', 100_000).optional().describe('Markdown'),
  state: word('Status', 100).optional().describe('Id of the status'),
  assignee: word('Assignee', 100).optional().describe('Id of the user'),
  priority: count('Priority', 4).optional().describe('1 urgent, 2 high, 3 normal, 4 low'),
  labels: words('Labels').optional().describe('Ids of labels'),
};
const limit = count('Items', 250).optional().describe('At most 250; default 50');

// https://linear.app/developers/rate-limiting
const limits = '2,500 calls an hour for a user.';
const one = {
  id: '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9',
  identifier: 'ENG-42',
  title: 'Login fails',
  url: 'https://linear.app/acme/issue/ENG-42',
  createdAt: '2026-01-31T08:15:30.000Z',
  state: { name: 'Todo' },
};

interface Details {
  title?: string | undefined;
  description?: string | undefined;
  state?: string | undefined;
  assignee?: string | undefined;
  priority?: number | undefined;
  labels?: string[] | undefined;
}
const inputOf = ({ title, description, state, assignee, priority, labels }: Details) => ({
  title,
  description,
  stateId: state,
  assigneeId: assignee,
  priority,
  labelIds: labels,
});

export const linear: Connector = {
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
  operations: [
    stepped({
      id: 'issues.list',
      title: 'List issues',
      help: 'Newest first, of all teams or of one.',
      limits,
      parameters: {
        team: word('Team', 20).optional().describe('Key of the team, e.g. ENG'),
        createdSince: word('Created since', 64).optional().describe('ISO 8601'),
        limit,
      },
      *steps({ team, createdSince, limit: first = 50 }) {
        const filter = {
          ...(team === undefined ? {} : { team: { key: { eq: team } } }),
          ...(createdSince === undefined ? {} : { createdAt: { gte: createdSince } }),
        };
        const source = `query($filter: IssueFilter, $first: Int) { issues(filter: $filter, first: $first, orderBy: createdAt) { nodes { ${ISSUE} } } }`;
        return at((yield query(source, { filter, first })).body, 'data.issues.nodes');
      },
      example: [one],
      poll: {
        title: 'New issue',
        words: 'linear trigger issue created ticket',
        parameters: { createdSince: '{{ cursor }}', limit: 250 },
        items: 'input.body',
        key: 'item.id',
        cursor: '$sort(input.body.createdAt)[-1]',
      },
    }),
    stepped({
      id: 'issues.get',
      title: 'Get an issue',
      help: 'Title, description, status and assignee.',
      limits,
      parameters: { issue },
      *steps({ issue: id }) {
        const source = `query($id: String!) { issue(id: $id) { ${ISSUE} description } }`;
        return at((yield query(source, { id })).body, 'data.issue');
      },
      example: one,
    }),
    stepped({
      id: 'issues.create',
      title: 'Create an issue',
      help: 'In a team, with a description and labels.',
      limits,
      parameters: {
        team: word('Team', 100).describe('Id of the team'),
        title: word('Title', 512).describe('One line'),
        ...details,
      },
      *steps({ team, ...given }) {
        const source = `mutation($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${ISSUE} } } }`;
        const { body } = yield query(source, { input: { teamId: team, ...inputOf(given) } });
        return at(body, 'data.issueCreate.issue');
      },
      example: one,
    }),
    stepped({
      id: 'issues.update',
      title: 'Update an issue',
      help: 'Changes what is given.',
      limits,
      parameters: { issue, title: word('Title', 512).optional().describe('One line'), ...details },
      *steps({ issue: id, ...given }) {
        const source = `mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { issue { ${ISSUE} } } }`;
        return at((yield query(source, { id, input: inputOf(given) })).body, 'data.issueUpdate.issue');
      },
      example: one,
    }),
    stepped({
      id: 'comments.create',
      title: 'Comment on an issue',
      help: 'Adds a comment.',
      limits,
      parameters: { issue, text: text('Text', 100_000).describe('Markdown') },
      *steps({ issue: issueId, text: body }) {
        const source =
          'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { comment { id body url } } }';
        return at((yield query(source, { input: { issueId, body } })).body, 'data.commentCreate.comment');
      },
      example: { id: 'c1', body: 'Fixed', url: 'https://linear.app/acme/issue/ENG-42#comment-c1' },
    }),
    stepped({
      id: 'teams.list',
      title: 'List teams',
      help: 'With their ids and statuses.',
      limits,
      parameters: {},
      *steps() {
        return at(
          (yield query('{ teams { nodes { id key name states { nodes { id name } } } } }', {})).body,
          'data.teams.nodes',
        );
      },
      example: [{ id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', key: 'ENG', name: 'Engineering', states: { nodes: [] } }],
    }),
    stepped({
      id: 'users.list',
      title: 'List users',
      help: 'With their ids and email addresses.',
      limits,
      parameters: {},
      *steps() {
        return at((yield query('{ users { nodes { id name email active } } }', {})).body, 'data.users.nodes');
      },
      example: [{ id: 'u1', name: 'Ada', email: 'ada@example.com', active: true }],
    }),
  ],
};
