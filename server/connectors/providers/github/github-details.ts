import type { DataOperation, OperationDefinition } from '../../operation';
import {
  choiceParameter,
  countParameter,
  listedLineParameter,
  listedParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  GITHUB_REPOSITORY_FIELDS,
  githubAssigneeNames,
  githubIssueNumber,
  githubLabelNames,
  githubLinkPaging,
  githubPageSize,
  githubParameterNames,
  githubRateLimit,
  githubRepositoryParameters,
} from './github-parameters';

const inIssue = { ...githubRepositoryParameters, number: githubIssueNumber };
const githubCommentId = listedParameter(
  countParameter('Comment', 2 ** 52),
  'comments',
  GITHUB_REPOSITORY_FIELDS,
).describe('`id` of the comment');
const githubLabelExample = { id: 208_045_946, name: 'bug', color: 'f29513', description: 'Something fails' };
const githubCommentExample = {
  id: 1,
  body: 'Me too',
  user: { login: 'octocat' },
  issue_url: 'https://api.github.com/repos/octocat/hello/issues/1347',
  created_at: '2026-01-31T08:15:30Z',
};

/** An operation that lists something of a repository, page by page. */
const listOperation = (
  id: string,
  path: string,
  { title, help, example }: { title: string; help: string; example: object },
): DataOperation => ({
  id,
  title,
  help,
  limits: githubRateLimit,
  method: 'GET',
  path: `/repos/{owner}/{repo}${path}`,
  inPath: githubRepositoryParameters,
  inQuery: { limit: githubPageSize },
  names: githubParameterNames,
  items: '',
  paging: githubLinkPaging,
  example: [example],
});

/** Operations of GitHub with labels, assignees and comments. https://docs.github.com/rest/issues */
export const githubDetailOperations: OperationDefinition[] = [
  {
    id: 'comments.list_recent',
    title: 'List comments of a repository',
    help: 'Of all issues and pull requests, last changed first.',
    limits: githubRateLimit,
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments',
    inPath: githubRepositoryParameters,
    inQuery: {
      since: valueLineParameter('Changed since', 'quantity', 64).optional().describe('ISO 8601'),
      limit: githubPageSize,
    },
    names: githubParameterNames,
    query: { sort: 'updated', direction: 'desc' },
    items: '',
    paging: githubLinkPaging,
    example: [githubCommentExample],
    poll: {
      title: 'New comment',
      words: 'github trigger comment issue pull request',
      parameters: { since: '{{ cursor }}', limit: 100 },
      items: 'input.body',
      key: 'item.id',
      cursor: '$fromMillis($millis() - 120000)',
    },
  },
  {
    id: 'comments.update',
    title: 'Change a comment',
    help: 'Replaces its text.',
    limits: githubRateLimit,
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/comments/{comment}',
    inPath: { ...githubRepositoryParameters, comment: githubCommentId },
    inBody: { body: multilineParameter('Text', 65_536).describe('Markdown') },
    example: githubCommentExample,
  },
  {
    id: 'comments.delete',
    title: 'Delete a comment',
    help: 'For good.',
    limits: githubRateLimit,
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/comments/{comment}',
    inPath: { ...githubRepositoryParameters, comment: githubCommentId },
    example: null,
  },
  {
    id: 'issues.lock',
    title: 'Lock an issue or pull request',
    help: 'Only collaborators can comment on it.',
    limits: githubRateLimit,
    method: 'PUT',
    path: '/repos/{owner}/{repo}/issues/{number}/lock',
    inPath: inIssue,
    inBody: {
      reason: choiceParameter('Reason', ['off-topic', 'too heated', 'resolved', 'spam'])
        .optional()
        .describe('Shown beside the lock'),
    },
    names: { reason: 'lock_reason' },
    example: null,
  },
  {
    id: 'issues.unlock',
    title: 'Unlock an issue or pull request',
    help: 'All can comment on it again.',
    limits: githubRateLimit,
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{number}/lock',
    inPath: inIssue,
    example: null,
  },
  {
    id: 'issues.add_labels',
    title: 'Add labels to an issue or pull request',
    help: 'Labels that it has stay; unknown ones are created.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{number}/labels',
    inPath: inIssue,
    inBody: { labels: githubLabelNames },
    example: [githubLabelExample],
  },
  {
    id: 'issues.remove_label',
    title: 'Remove a label from an issue or pull request',
    help: 'Other labels stay.',
    limits: githubRateLimit,
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{number}/labels/{label}',
    inPath: {
      ...inIssue,
      label: listedLineParameter('Label', 'labels', GITHUB_REPOSITORY_FIELDS, 100).describe('Name of the label'),
    },
    example: [githubLabelExample],
  },
  {
    id: 'issues.add_assignees',
    title: 'Assign users to an issue or pull request',
    help: 'Up to ten; those that it has stay.',
    limits: githubRateLimit,
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{number}/assignees',
    inPath: inIssue,
    inBody: { assignees: githubAssigneeNames },
    example: { number: 1347, assignees: [{ login: 'octocat' }] },
  },
  listOperation('labels.list', '/labels', {
    title: 'List labels of a repository',
    help: 'With their colours.',
    example: githubLabelExample,
  }),
  listOperation('assignees.list', '/assignees', {
    title: 'List users that issues can be assigned to',
    help: 'Users with access to the repository.',
    example: { login: 'octocat', id: 1 },
  }),
  listOperation('milestones.list', '/milestones', {
    title: 'List milestones of a repository',
    help: 'Open ones, by date.',
    example: { number: 1, title: 'v1.0', state: 'open', due_on: '2026-01-31T08:00:00Z' },
  }),
  listOperation('branches.list', '/branches', {
    title: 'List branches of a repository',
    help: 'With their newest commits.',
    example: { name: 'main', commit: { sha: 'c5b97d5ae6c19d5c5df71a34c7fbeeda2479ccbc' }, protected: true },
  }),
  listOperation('tags.list', '/tags', {
    title: 'List tags of a repository',
    help: 'With their commits.',
    example: { name: 'v1.0.0', commit: { sha: 'c5b97d5ae6c19d5c5df71a34c7fbeeda2479ccbc' } },
  }),
  listOperation('collaborators.list', '/collaborators', {
    title: 'List collaborators of a repository',
    help: 'Needs the right to push.',
    example: { login: 'octocat', role_name: 'write' },
  }),
];
