import { z } from 'zod';
import {
  ListSavedFiltersResponse,
  SavedFilterList,
  SavedFilterName,
  SavedFilterResponse,
  SaveFilterRequest,
} from '@/contract/saved-filter';
import type { SavedFilter as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { lockObjectCount } from '@/server/platform/quotas/lock';
import { conflictProblem, notFoundProblem } from '@/server/platform/errors/problem';

const SAVED_FILTER_TAG = 'Saved filters';
const SAVED_FILTER_PATH = '/api/saved-filters/{list}/{name}';
/** Whoever may see one of the lists saves filters of both: a filter shows nothing that the list does not. */
const SAVED_FILTER_ACCESS = memberAccess('workflow', 'read', { isFiltered: true, or: 'execution:read' });
const SavedFilterParams = z.strictObject({ list: SavedFilterList, name: SavedFilterName });

const toSavedFilterResponse = ({ list, name, address, createdAt }: Row): SavedFilterResponse => ({
  list: list as SavedFilterList,
  name,
  address,
  createdAt: createdAt.toISOString(),
});

const listSavedFiltersOperation = defineOperation({
  id: 'savedFilters.list',
  method: 'GET',
  path: '/api/saved-filters',
  summary: 'List my saved filters',
  description: 'Those of the caller in this workspace. Nobody else sees them.',
  tag: SAVED_FILTER_TAG,
  access: SAVED_FILTER_ACCESS,
  effect: readEffect(),
  reply: jsonReply(ListSavedFiltersResponse),
  async run({ db, caller: { workspaceId, userId } }) {
    const orderBy = [{ list: 'asc' as const }, { name: 'asc' as const }];
    const rows = await db.savedFilter.findMany({ where: { workspaceId, userId }, orderBy });
    return { data: rows.map(toSavedFilterResponse) };
  },
});

const setSavedFilterOperation = defineOperation({
  id: 'savedFilters.set',
  method: 'PUT',
  path: SAVED_FILTER_PATH,
  summary: 'Save a filter, or rename it',
  description:
    'One with this name gets the new address. With another `name` in the body it is renamed: 404 if there is none, 409 if that name is taken.',
  tag: SAVED_FILTER_TAG,
  access: SAVED_FILTER_ACCESS,
  effect: writeEffect('configuration_change'),
  params: SavedFilterParams,
  body: jsonBody(SaveFilterRequest),
  reply: jsonReply(SavedFilterResponse),
  async run(
    { db, caller: { workspaceId, userId } },
    { params: { list, name }, body: { address, name: newName = name } },
  ) {
    const find = (wanted: string) => db.savedFilter.findFirst({ where: { workspaceId, userId, list, name: wanted } });
    // The lock of the limit lasts until the commit: two calls do not take one name.
    await lockObjectCount(db, 'savedFilters', `${workspaceId} ${userId}`);
    const before = await find(name);
    if (newName !== name) {
      if (!before) throw notFoundProblem('The saved filter');
      if (await find(newName)) throw conflictProblem('There is a saved filter with this name already.');
    }
    if (!before) await requireBelowCap(db, 'savedFilters', `${workspaceId} ${userId}`);
    const row = await db.savedFilter.upsert({
      where: { workspaceId_userId_list_name: { workspaceId, userId, list, name } },
      create: { workspaceId, userId, list, name, address },
      update: { address, name: newName },
    });
    return toSavedFilterResponse(row);
  },
});

const deleteSavedFilterOperation = defineOperation({
  id: 'savedFilters.delete',
  method: 'DELETE',
  path: SAVED_FILTER_PATH,
  summary: 'Delete a saved filter',
  tag: SAVED_FILTER_TAG,
  access: SAVED_FILTER_ACCESS,
  effect: writeEffect('configuration_change'),
  params: SavedFilterParams,
  async run({ db, caller: { workspaceId, userId } }, { params: { list, name } }) {
    const { count } = await db.savedFilter.deleteMany({ where: { workspaceId, userId, list, name } });
    if (count === 0) throw notFoundProblem('The saved filter');
  },
});

export const savedFilterOperations = [listSavedFiltersOperation, setSavedFilterOperation, deleteSavedFilterOperation];
