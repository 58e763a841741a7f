import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource, SteppedChoiceSource } from '../../choices';
import type { ApiRequest } from '../../operation';

/** What a request lists in each workspace of the account. */
const ofEachWorkspace = (request: (workspace: string, search: string) => ApiRequest): SteppedChoiceSource => ({
  *steps({ search }) {
    const workspaces = (getAtPath((yield { path: '/workspaces' }).body, 'data') ?? []) as unknown[];
    const items: unknown[] = [];
    for (const workspace of workspaces) {
      const { body } = yield request(encodeURIComponent(String(getAtPath(workspace, 'gid'))), search);
      items.push(...((getAtPath(body, 'data') ?? []) as unknown[]));
    }
    return { items };
  },
  value: 'gid',
  label: ['name'],
});

/** What the parameters of Asana are picked from. */
export const asanaChoices: Record<string, ConnectorChoiceSource> = {
  workspaces: { operation: 'workspaces.list', value: 'gid', label: ['name'] },
  projects: { operation: 'projects.list_all', value: 'gid', label: ['name'], hint: 'workspace.name' },
  sections: {
    operation: 'sections.list',
    parameters: { limit: 100 },
    parametersFrom: { project: 'project' },
    value: 'gid',
    label: ['name'],
  },
  users: {
    operation: 'users.list',
    parameters: { limit: 100 },
    value: 'gid',
    label: ['name'],
    hint: 'email',
    takesAddresses: true,
  },
  tags: ofEachWorkspace((workspace) => ({
    path: `/workspaces/${workspace}/tags`,
    query: { limit: 100 },
  })),
  // https://developers.asana.com/reference/typeaheadforworkspace: without a text those that were read last.
  tasks: {
    ...ofEachWorkspace((workspace, search) => ({
      path: `/workspaces/${workspace}/typeahead`,
      query: { resource_type: 'task', query: search, count: 100, opt_fields: 'name,projects.name' },
    })),
    searches: true,
    hint: 'projects.0.name',
  },
};
