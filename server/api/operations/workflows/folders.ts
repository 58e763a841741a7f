import { z } from 'zod';
import {
  FolderResponse,
  CreateFolderRequest,
  ListFoldersResponse,
  UpdateFolderRequest,
  MAX_FOLDER_DEPTH,
} from '@/contract/workflows/folder';
import { PaginationQuery } from '@/contract/text';
import type { Folder as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { conflictProblem, invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { lockObjectCount } from '@/server/platform/quotas/lock';

const FOLDER_TAG = 'Folders';
const FolderParams = z.strictObject({ id: z.string() });

const toFolderResponse = (row: Row): FolderResponse => ({
  id: row.id,
  name: row.name,
  parentId: row.parentId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy,
});

/** Throws 400 unless the workspace has this folder. */
export async function requireFolder(db: DatabaseClient, workspaceId: string, id: string, field: string): Promise<void> {
  if ((await db.folder.count({ where: { id, workspaceId } })) === 0)
    throw invalidFieldProblem(field, 'is not a folder of this workspace');
}

async function findFolderRow(db: DatabaseClient, workspaceId: string, id: string): Promise<Row> {
  const row = await db.folder.findFirst({ where: { id, workspaceId } });
  if (!row) throw notFoundProblem('The folder');
  return row;
}

/** Serializes changes of a workspace's folders until the commit: names stay unique, and no two moves close a cycle. */
const lockFolders = (db: DatabaseClient, workspaceId: string) => lockObjectCount(db, 'folders', workspaceId);

/**
 * Throws unless a folder with this name may be in `parentId`. `own`: the folder that is changed; undefined: a new one.
 */
async function requireValidLocation(
  db: DatabaseClient,
  workspaceId: string,
  { name, parentId }: Pick<Row, 'name' | 'parentId'>,
  own?: string,
): Promise<void> {
  const rows = await db.folder.findMany({ where: { workspaceId }, select: { id: true, parentId: true, name: true } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const above: string[] = [];
  for (let at = parentId; at !== null; at = byId.get(at)?.parentId ?? null) {
    if (!byId.has(at)) throw invalidFieldProblem('parentId', 'is not a folder of this workspace');
    if (at === own) throw invalidFieldProblem('parentId', 'is the folder itself or inside it');
    above.push(at);
  }
  const height = (id: string | undefined): number =>
    1 + Math.max(0, ...rows.filter((row) => id !== undefined && row.parentId === id).map((row) => height(row.id)));
  if (above.length + height(own) > MAX_FOLDER_DEPTH)
    throw invalidFieldProblem('parentId', `must not lead to more than ${MAX_FOLDER_DEPTH} levels of folders`);
  if (rows.some((row) => row.parentId === parentId && row.name === name && row.id !== own))
    throw conflictProblem('There is a folder with this name already.');
}

const listFoldersOperation = defineOperation({
  id: 'folders.list',
  method: 'GET',
  path: '/api/folders',
  summary: 'List the folders of workflows',
  description: 'All levels, newest first. Folders organize workflows; they have no effect on permissions.',
  tag: FOLDER_TAG,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  query: PaginationQuery,
  reply: jsonReply(ListFoldersResponse),
  async run({ db, caller: { workspaceId } }, { query: { limit, offset } }) {
    const where = { workspaceId };
    const [rows, total] = await Promise.all([
      db.folder.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: limit, skip: offset }),
      db.folder.count({ where }),
    ]);
    return { data: rows.map(toFolderResponse), total, limit, offset };
  },
});

const createFolderOperation = defineOperation({
  id: 'folders.create',
  method: 'POST',
  path: '/api/folders',
  summary: 'Create a folder',
  description: `Up to ${MAX_FOLDER_DEPTH} levels. Two folders in the same place have different names (409).`,
  tag: FOLDER_TAG,
  access: memberAccess('workflow', 'create'),
  effect: writeEffect('configuration_change'),
  body: jsonBody(CreateFolderRequest),
  reply: jsonReply(FolderResponse, { status: 201, location: '/api/folders/{id}' }),
  async run({ db, caller: { workspaceId, userId }, note }, { body }) {
    await lockFolders(db, workspaceId);
    await requireBelowCap(db, 'folders', workspaceId);
    await requireValidLocation(db, workspaceId, body);
    const id = generateId('fld');
    note({ resourceId: id });
    return toFolderResponse(await db.folder.create({ data: { ...body, id, workspaceId, createdBy: userId } }));
  },
});

const getFolderOperation = defineOperation({
  id: 'folders.get',
  method: 'GET',
  path: '/api/folders/{id}',
  summary: 'Read a folder',
  tag: FOLDER_TAG,
  access: memberAccess('workflow', 'read', { isFiltered: true }),
  effect: readEffect(),
  params: FolderParams,
  reply: jsonReply(FolderResponse),
  run: async ({ db, caller }, { params: { id } }) => toFolderResponse(await findFolderRow(db, caller.workspaceId, id)),
});

const updateFolderOperation = defineOperation({
  id: 'folders.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/folders/{id}',
  summary: 'Rename or move a folder',
  description: 'Its contents go along. `parentId: null` moves it to the top level.',
  tag: FOLDER_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: FolderParams,
  body: jsonBody(UpdateFolderRequest),
  reply: jsonReply(FolderResponse),
  async run({ db, caller: { workspaceId }, note }, { params: { id }, body }) {
    note({ metadata: body });
    await lockFolders(db, workspaceId);
    const before = await findFolderRow(db, workspaceId, id);
    await requireValidLocation(db, workspaceId, { ...before, ...body }, id);
    return toFolderResponse(await db.folder.update({ where: { id }, data: { ...body, updatedAt: new Date() } }));
  },
});

const deleteFolderOperation = defineOperation({
  id: 'folders.delete',
  method: 'DELETE',
  path: '/api/folders/{id}',
  summary: 'Delete a folder',
  description:
    'Its workflows and folders are moved to the folder that it was in. 409 if one of its folders has the name of a folder there.',
  tag: FOLDER_TAG,
  access: memberAccess('workflow', 'delete'),
  effect: writeEffect('configuration_change'),
  params: FolderParams,
  async run({ db, caller: { workspaceId }, note }, { params: { id } }) {
    await lockFolders(db, workspaceId);
    const { parentId, name } = await findFolderRow(db, workspaceId, id);
    note({ metadata: { name } });
    const inside = await db.folder.findMany({ where: { parentId: id } });
    const names = inside.map(({ name }) => name);
    const clash = await db.folder.findFirst({ where: { workspaceId, parentId, id: { not: id }, name: { in: names } } });
    if (clash) throw conflictProblem(`There is a folder ${clash.name} in both places: rename one of them first.`);
    await db.folder.updateMany({ where: { parentId: id }, data: { parentId } });
    await db.workflow.updateMany({ where: { folderId: id }, data: { folderId: parentId } });
    await db.folder.delete({ where: { id } });
  },
});

export const folderOperations = [
  listFoldersOperation,
  createFolderOperation,
  getFolderOperation,
  updateFolderOperation,
  deleteFolderOperation,
];

export { createFolderOperation };
