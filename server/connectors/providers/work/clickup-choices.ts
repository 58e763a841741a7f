import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../../choices';

const CLICKUP_TASK_PAGE = 100;

/** What the parameters of ClickUp are picked from. */
export const clickupChoices: Record<string, ConnectorChoiceSource> = {
  workspaces: { operation: 'workspaces.list', value: 'id', label: ['name'] },
  spaces: { operation: 'spaces.list', parametersFrom: { workspace: 'workspace' }, value: 'id', label: ['name'] },
  lists: {
    operation: 'lists.list_all',
    parametersFrom: { space: 'space' },
    value: 'id',
    label: ['name'],
    hint: 'folder.name',
  },
  statuses: { operation: 'lists.get', parametersFrom: { list: 'list' }, value: 'status', label: ['status'] },
  members: {
    operation: 'lists.list_members',
    parametersFrom: { list: 'list' },
    value: 'id',
    label: ['username', 'email'],
    hint: 'email',
  },
  tags: { operation: 'tags.list', parametersFrom: { space: 'space' }, value: 'name', label: ['name'] },
  tasks: {
    // https://developer.clickup.com/reference/getfilteredteamtasks: open tasks of all workspaces, page by page.
    *steps({ page }) {
      const teams = (getAtPath((yield { path: '/team' }).body, 'teams') ?? []) as unknown[];
      const items: unknown[] = [];
      let isFull = false;
      for (const team of teams) {
        const path = `/team/${encodeURIComponent(String(getAtPath(team, 'id')))}/task`;
        const { body } = yield { path, query: { page: page ?? '0', order_by: 'updated' } };
        const tasks = (getAtPath(body, 'tasks') ?? []) as unknown[];
        items.push(...tasks);
        isFull ||= tasks.length === CLICKUP_TASK_PAGE;
      }
      return { items, next: isFull ? String(Number(page ?? 0) + 1) : null };
    },
    value: 'id',
    label: ['name'],
    hint: 'list.name',
  },
};
