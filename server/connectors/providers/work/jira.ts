import { NodeFailure } from '@/server/errors/node-failure';
import { label, type Connector } from '../../connector';
import { stepped, type Paging } from '../../operation';
import { count, fields, file, text, word, words } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';

// https://developer.atlassian.com/cloud/jira/platform/rest/v2/: version 2 takes texts of descriptions as they are.
const searched: Paging = { kind: 'token', at: 'nextPageToken', query: 'nextPageToken' };
const listed: Paging = { kind: 'offset', query: 'startAt', size: 'maxResults', defaultSize: 50 };
const issue = word('Issue', 100).describe('Key or id, e.g. PROJ-42');
const description = text('Description', 32_767).optional().describe('Plain text with the markup of Jira');
const labels = words('Labels').optional().describe('Words without blanks');
const assignee = word('Assignee', 128).optional().describe('Account id of the user');
const others = fields('Other fields').optional().describe('As JSON, e.g. {"customfield_10011": "x"}');

// https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
const limits = 'By points of all calls of a site; busy sites answer 429 with a time to wait.';
const one = {
  id: '10002',
  key: 'PROJ-42',
  self: 'https://acme.atlassian.net/rest/api/2/issue/10002',
  fields: { summary: 'Login fails', status: { name: 'To Do' }, created: '2026-01-31T08:15:30.000+0000' },
};
const pathOf = (key: string, rest = '') => `/issue/${encodeURIComponent(key)}${rest}`;

interface Details {
  summary?: string | undefined;
  description?: string | undefined;
  labels?: string[] | undefined;
  assignee?: string | undefined;
  priority?: string | undefined;
  others?: Record<string, unknown> | undefined;
}

const fieldsOf = ({
  summary,
  description: about,
  labels: all,
  assignee: accountId,
  priority,
  others: rest,
}: Details) => ({
  summary,
  description: about,
  labels: all,
  ...(accountId === undefined ? {} : { assignee: { accountId } }),
  ...(priority === undefined ? {} : { priority: { name: priority } }),
  ...rest,
});

export const jira: Connector = {
  id: 'jira',
  name: 'Jira',
  description: 'Issues, comments and projects of Jira Cloud.',
  synonyms: ['atlassian', 'issue', 'ticket', 'tickets', 'bug', 'project', 'agile', 'tasks'],
  flow: 'token',
  apiUrl: 'https://{site}.atlassian.net/rest/api/2',
  scopes: {},
  parameters: [
    {
      name: 'site',
      title: 'Site',
      hint: 'acme for acme.atlassian.net',
      required: true,
      pattern: label,
      rule: 'must be the name before .atlassian.net, without dots',
    },
  ],
  token: {
    title: 'API token',
    setup:
      'At id.atlassian.com/manage-profile/security/api-tokens create an API token. It acts with the permissions of its user.',
    fields: [
      {
        name: 'email',
        title: 'Email address',
        hint: 'Of the Atlassian account',
        isSecret: false,
        pattern: /^[^\s:@]+@[^\s:@]+$/,
        rule: 'must be an email address',
      },
      {
        name: 'token',
        title: 'API token',
        hint: 'Begins with ATATT',
        isSecret: true,
        pattern: /^[\w=.-]{10,1000}$/,
        rule: 'must be an API token of Atlassian',
      },
    ],
    basic: { username: '{email}', password: '{token}' },
  },
  setup: 'Nothing has to be registered: a user has API tokens.',
  probe: { path: '/myself' },
  operations: [
    {
      id: 'issues.search',
      title: 'Search issues',
      help: 'Issues by JQL.',
      limits,
      method: 'GET',
      path: '/search/jql',
      inQuery: {
        jql: text('JQL', 8000).describe('e.g. project = PROJ AND status = "To Do" ORDER BY created DESC'),
        fields: word('Fields', 2000)
          .default('*navigable')
          .describe('Names, separated by commas; default: the usual ones'),
        limit: count('Items a page', 5000).optional().describe('Default 50'),
      },
      names: { limit: 'maxResults' },
      items: 'issues',
      paging: searched,
      example: { issues: [one], isLast: true },
      poll: {
        title: 'New issue',
        words: 'jira trigger issue created ticket bug',
        parameters: { jql: 'created >= -1d ORDER BY created DESC', limit: 100, allPages: true },
        items: 'input.body',
        key: 'item.id',
      },
    },
    {
      id: 'issues.get',
      title: 'Get an issue',
      help: 'All its fields.',
      limits,
      method: 'GET',
      path: '/issue/{issue}',
      inPath: { issue },
      example: one,
    },
    stepped({
      id: 'issues.create',
      title: 'Create an issue',
      help: 'In a project, of a type such as Task or Bug.',
      limits,
      parameters: {
        project: word('Project', 100).describe('Key of the project, e.g. PROJ'),
        type: word('Type', 100).describe('Name of the type, e.g. Task'),
        summary: word('Summary', 255).describe('One line'),
        description,
        priority: word('Priority', 100).optional().describe('Name, e.g. High'),
        assignee,
        labels,
        parent: word('Parent', 100).optional().describe('Key of the epic or of the issue above'),
        others,
      },
      *steps({ project, type, parent, ...details }) {
        const above = parent === undefined ? {} : { parent: { key: parent } };
        const value = {
          fields: { project: { key: project }, issuetype: { name: type }, ...above, ...fieldsOf(details) },
        };
        return (yield { method: 'POST', path: '/issue', body: { as: 'json', value } }).body;
      },
      example: { id: '10002', key: 'PROJ-42', self: one.self },
    }),
    stepped({
      id: 'issues.update',
      title: 'Update an issue',
      help: 'Changes the fields that are given.',
      limits,
      parameters: {
        issue,
        summary: word('Summary', 255).optional().describe('One line'),
        description,
        priority: word('Priority', 100).optional().describe('Name, e.g. High'),
        assignee,
        labels: labels.describe('They replace the labels of the issue'),
        others,
      },
      *steps({ issue: key, ...details }) {
        yield { method: 'PUT', path: pathOf(key), body: { as: 'json', value: { fields: fieldsOf(details) } } };
        return { key };
      },
      example: { key: 'PROJ-42' },
    }),
    stepped({
      id: 'issues.transition',
      title: 'Move an issue to another status',
      help: 'By the name of a transition or of the status that it leads to.',
      limits,
      parameters: { issue, status: word('Status', 100).describe('e.g. Done') },
      *steps({ issue: key, status }) {
        const { body } = yield { path: pathOf(key, '/transitions') };
        const all = (at(body, 'transitions') ?? []) as { id: string; name: string; to?: { name?: string } }[];
        const wanted = status.toLowerCase();
        const found = all.find(({ name, to }) => to?.name?.toLowerCase() === wanted || name.toLowerCase() === wanted);
        if (!found) {
          const known = all.map(({ to, name }) => to?.name ?? name).join(', ');
          throw new NodeFailure('NOT_FOUND', `The issue ${key} cannot move to "${status}", only to ${known}.`, false);
        }
        yield {
          method: 'POST',
          path: pathOf(key, '/transitions'),
          body: { as: 'json', value: { transition: { id: found.id } } },
        };
        return { key, status: found.to?.name ?? found.name };
      },
      example: { key: 'PROJ-42', status: 'Done' },
    }),
    {
      id: 'issues.delete',
      title: 'Delete an issue',
      help: 'For good; one with subtasks is refused.',
      limits,
      method: 'DELETE',
      path: '/issue/{issue}',
      inPath: { issue },
      example: null,
    },
    {
      id: 'comments.create',
      title: 'Comment on an issue',
      help: 'Adds a comment.',
      limits,
      method: 'POST',
      path: '/issue/{issue}/comment',
      inPath: { issue },
      inBody: { body: text('Text', 32_767).describe('Plain text with the markup of Jira') },
      example: { id: '10000', body: 'Fixed', author: { displayName: 'Ada' } },
    },
    {
      id: 'comments.list',
      title: 'List comments of an issue',
      help: 'Oldest first.',
      limits,
      method: 'GET',
      path: '/issue/{issue}/comment',
      inPath: { issue },
      inQuery: { limit: count('Items a page', 100).optional().describe('Default 50') },
      names: { limit: 'maxResults' },
      items: 'comments',
      paging: listed,
      example: { comments: [{ id: '10000', body: 'Fixed', author: { displayName: 'Ada' } }], total: 1 },
    },
    stepped({
      id: 'attachments.add',
      title: 'Attach a file to an issue',
      help: 'A file of the run.',
      limits,
      parameters: { issue, file: file('File') },
      *steps({ issue: key, file: content }) {
        return (yield {
          method: 'POST',
          path: pathOf(key, '/attachments'),
          headers: { 'X-Atlassian-Token': 'no-check' },
          body: { as: 'multipart', fields: {}, files: [{ name: 'file', file: content }] },
        }).body;
      },
      example: [{ id: '10001', filename: 'report.pdf', size: 53_072 }],
    }),
    {
      id: 'users.find',
      title: 'Find users',
      help: 'By a part of the name or email address; with account ids.',
      limits,
      method: 'GET',
      path: '/user/search',
      inQuery: { query: word('Text', 200).describe('Name or email address') },
      items: '',
      example: [{ accountId: '5b10ac8d82e05b22cc7d4ef5', displayName: 'Ada', active: true }],
    },
    {
      id: 'projects.list',
      title: 'List projects',
      help: 'Projects that the user may see.',
      limits,
      method: 'GET',
      path: '/project/search',
      inQuery: { limit: count('Items a page', 100).optional().describe('Default 50') },
      names: { limit: 'maxResults' },
      items: 'values',
      paging: listed,
      example: { values: [{ id: '10000', key: 'PROJ', name: 'Project' }], total: 1 },
    },
  ],
};
