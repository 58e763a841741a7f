import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ColumnPaths, ConnectorChoiceSource } from '../../choices';
import type { ApiRequest, ApiResponse } from '../../operation';
import { jiraIssuePath } from './jira-parameters';

type JiraRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

/** All items of a list with `startAt` and `total`. */
function* collectJiraItems(path: string, items: string): JiraRequests<unknown[]> {
  const all: unknown[] = [];
  let isLast = false;
  while (!isLast) {
    const { body } = yield { path, query: { startAt: all.length, maxResults: 100 } };
    const page = (getAtPath(body, items) ?? []) as unknown[];
    all.push(...page);
    isLast = page.length === 0 || all.length >= Number(getAtPath(body, 'total') ?? 0);
  }
  return all;
}

/** Fields that operations have parameters for, and those that no value can be written to. */
const OWN_FIELDS = new Set(
  'summary description labels assignee priority project issuetype parent attachment issuelinks comment'.split(' '),
);
/** Types whose values are plain; values of others are objects or lists, which Jira documents. */
const PLAIN_TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  date: 'date',
  datetime: 'timestamp',
};

interface JiraField {
  id: string;
  kind: string;
}

const toJiraField = (id: string, field: unknown): JiraField => ({
  ...(field as object),
  id,
  kind: PLAIN_TYPES[String(getAtPath(field, 'schema.type'))] ?? 'json',
});

const fieldColumn: ColumnPaths = {
  type: 'kind',
  types: { text: 'text', number: 'number', date: 'date', timestamp: 'timestamp', json: 'json' },
  isRequired: { when: 'required', unless: ['hasDefaultValue'] },
};

const page = { limit: 100 };
const user = {
  value: 'accountId',
  label: ['displayName'],
  hint: 'emailAddress',
  where: { at: 'active', is: [true] },
} as const;

/** What the parameters of Jira are picked from. https://developer.atlassian.com/cloud/jira/platform/rest/v2/ */
export const jiraChoices: Record<string, ConnectorChoiceSource> = {
  projects: {
    operation: 'projects.list',
    parameters: page,
    search: 'query',
    value: 'key',
    label: ['name'],
    hint: 'key',
  },
  issueTypes: {
    operation: 'issue_types.list',
    parameters: page,
    parametersFrom: { project: 'project' },
    value: 'name',
    label: ['name'],
  },
  issues: {
    operation: 'issues.search',
    parameters: { jql: 'updated >= -90d ORDER BY updated DESC', fields: 'summary', limit: 100 },
    value: 'key',
    label: ['{key} {fields.summary}'],
  },
  transitions: {
    operation: 'issues.list_transitions',
    parametersFrom: { issue: 'issue' },
    value: 'to.name',
    label: ['to.name'],
    hint: 'name',
  },
  attachments: {
    operation: 'attachments.list',
    parametersFrom: { issue: 'issue' },
    value: 'id',
    label: ['filename'],
    hint: 'id',
  },
  comments: {
    operation: 'comments.list',
    parameters: page,
    parametersFrom: { issue: 'issue' },
    value: 'id',
    label: ['body'],
    hint: 'author.displayName',
  },
  assignableUsers: {
    ...user,
    operation: 'users.list_assignable',
    parameters: { limit: 1000 },
    parametersFrom: { project: 'project' },
    search: 'query',
  },
  assignableUsersOfIssue: {
    ...user,
    operation: 'users.list_assignable_to_issue',
    parameters: { limit: 1000 },
    parametersFrom: { issue: 'issue' },
    search: 'query',
  },
  users: { ...user, operation: 'users.list', parameters: { limit: 1000 } },
  priorities: { operation: 'priorities.list', parameters: page, value: 'name', label: ['name'] },
  labels: { operation: 'labels.list', value: '', label: [''] },
  linkTypes: { operation: 'link_types.list', value: 'name', label: ['name'], hint: 'outward' },
  fields: { operation: 'fields.list', value: 'id', label: ['name'], hint: 'id' },
  boards: { operation: 'boards.list', value: 'id', label: ['name'], hint: 'type' },
  sprints: {
    operation: 'sprints.list',
    parametersFrom: { board: 'board' },
    value: 'id',
    label: ['name'],
    hint: 'state',
  },
  newFields: {
    dependsOn: ['project', 'type'],
    *steps({ values: { project = '', type = '' } }) {
      const path = `/issue/createmeta/${encodeURIComponent(project)}/issuetypes`;
      const types = yield* collectJiraItems(path, 'issueTypes');
      const found = types.find((one) => String(getAtPath(one, 'name')).toLowerCase() === type.toLowerCase());
      if (found === undefined) return { items: [] };
      const typeId = encodeURIComponent(String(getAtPath(found, 'id')));
      const fields = yield* collectJiraItems(`${path}/${typeId}`, 'fields');
      const known = fields.map((field) => toJiraField(String(getAtPath(field, 'fieldId')), field));
      return { items: known.filter(({ id }) => !OWN_FIELDS.has(id)) };
    },
    value: 'id',
    label: ['name'],
    column: fieldColumn,
  },
  changedFields: {
    dependsOn: ['issue'],
    *steps({ values: { issue = '' } }) {
      const fields = getAtPath((yield { path: jiraIssuePath(issue, '/editmeta') }).body, 'fields') ?? {};
      const known = Object.entries(fields).map(([id, field]: [string, unknown]) => toJiraField(id, field));
      return { items: known.filter(({ id }) => !OWN_FIELDS.has(id)) };
    },
    value: 'id',
    label: ['name'],
    column: fieldColumn,
  },
};
