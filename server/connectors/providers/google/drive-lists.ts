import { defineSteppedOperation, type ConnectorPaging, type OperationDefinition } from '../../operation';
import { countParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  DRIVE_API,
  DRIVE_FILE_FIELDS,
  DRIVE_FOLDER_TYPE,
  driveFileExample,
  driveFilePath,
  driveRateLimit,
  sharedDriveQuery,
} from './drive-parts';
import { searchDriveFiles } from './drive-search';
import { driveIdParameter } from './ids';

// https://developers.google.com/workspace/drive/api/reference/rest/v3
const drivePaging: ConnectorPaging = { kind: 'token', at: 'nextPageToken', query: 'pageToken' };
const listedFileId = driveIdParameter('File', 'filesAndFolders');
const folderToListId = driveIdParameter('Folder', 'folders').optional();
const driveFolderExample = { ...driveFileExample, name: 'Invoices', mimeType: DRIVE_FOLDER_TYPE };

/** Operations that list what Drive has. */
export const driveListOperations: OperationDefinition[] = [
  {
    id: 'drive.list',
    title: 'List files',
    help: 'Files and folders by a query of Drive, page by page.',
    limits: driveRateLimit,
    method: 'GET',
    api: DRIVE_API,
    path: '/files',
    inQuery: {
      query: valueLineParameter('Query', 'query', 5000)
        .optional()
        .describe("As Drive writes it, e.g. mimeType = 'application/pdf' and trashed = false"),
      orderBy: valueLineParameter('Order', 'query', 200).optional().describe('e.g. name, modifiedTime desc'),
      limit: countParameter('Items a page', 1000).optional().describe('At most 1,000; default 100'),
    },
    names: { query: 'q', limit: 'pageSize' },
    query: {
      supportsAllDrives: 'true',
      includeItemsFromAllDrives: 'true',
      fields: `nextPageToken,files(${DRIVE_FILE_FIELDS})`,
    },
    items: 'files',
    paging: drivePaging,
    example: { files: [driveFileExample] },
  },
  defineSteppedOperation({
    id: 'drive.list_changed',
    title: 'List changed files',
    help: 'Files that were added or changed since a time, the newest first.',
    limits: driveRateLimit,
    parameters: {
      folder: folderToListId.describe('Only files in this folder; empty: all files'),
      changedAfter: valueLineParameter('Changed after', 'quantity', 64).optional().describe('ISO 8601'),
      limit: countParameter('Files', 1000).optional().describe('At most 1,000; default 100'),
    },
    *steps({ folder, changedAfter, limit }) {
      const query = `mimeType != '${DRIVE_FOLDER_TYPE}'`;
      return yield* searchDriveFiles({
        folder,
        modifiedAfter: changedAfter,
        limit,
        query,
        orderBy: 'modifiedTime desc',
      });
    },
    example: [driveFileExample],
    poll: {
      title: 'New or changed file',
      words: 'google drive trigger file updated modified changed folder',
      parameters: { changedAfter: '{{ cursor }}', limit: 1000 },
      items: 'input.body',
      key: "item.id & ' ' & item.modifiedTime",
      cursor: '$sort(input.body.modifiedTime)[-1]',
    },
  }),
  defineSteppedOperation({
    id: 'drive.list_folders',
    title: 'List folders',
    help: 'Folders by name and place, the newest first.',
    limits: driveRateLimit,
    parameters: {
      folder: folderToListId.describe('Only folders in this one; root: those of My Drive; empty: all folders'),
      name: valueLineParameter('Name', 'search').optional().describe('A part of the name'),
      createdAfter: valueLineParameter('Created after', 'quantity', 64).optional().describe('ISO 8601'),
      limit: countParameter('Folders', 1000).optional().describe('At most 1,000; default 100'),
    },
    *steps(search) {
      return yield* searchDriveFiles({ ...search, type: DRIVE_FOLDER_TYPE });
    },
    example: [driveFolderExample],
    poll: {
      title: 'New folder',
      words: 'google drive trigger folder created',
      parameters: { createdAfter: '{{ cursor }}', limit: 1000 },
      items: 'input.body',
      key: 'item.id',
      cursor: '$sort(input.body.createdTime)[-1]',
    },
  }),
  {
    id: 'drive.list_drives',
    title: 'List shared drives',
    help: 'Shared drives that the account can open, with their ids.',
    limits: driveRateLimit,
    method: 'GET',
    api: DRIVE_API,
    path: '/drives',
    inQuery: {
      query: valueLineParameter('Query', 'query', 1000).optional().describe("e.g. name contains 'Sales'"),
      limit: countParameter('Items a page', 100).optional().describe('At most 100; default 10'),
    },
    names: { query: 'q', limit: 'pageSize' },
    items: 'drives',
    paging: drivePaging,
    example: { drives: [{ kind: 'drive#drive', id: '0AEd3EhGff2SaUk9PVA', name: 'Sales' }] },
  },
  defineSteppedOperation({
    id: 'drive.list_permissions',
    title: 'List who may open a file',
    help: 'People, groups, domains and links, with their roles.',
    limits: driveRateLimit,
    parameters: { file: listedFileId },
    *steps({ file: of }) {
      const fields = 'nextPageToken,permissions(id,type,role,emailAddress,domain,displayName)';
      const permissions: unknown[] = [];
      let pageToken: unknown;
      do {
        const query = { ...sharedDriveQuery, pageSize: 100, fields, pageToken };
        const { body } = yield { api: DRIVE_API, path: `${driveFilePath(of)}/permissions`, query };
        permissions.push(...((getAtPath(body, 'permissions') ?? []) as unknown[]));
        pageToken = getAtPath(body, 'nextPageToken');
      } while (typeof pageToken === 'string');
      return { permissions };
    },
    example: { permissions: [{ id: '06450127', type: 'user', role: 'reader', emailAddress: 'ada@example.com' }] },
  }),
  defineSteppedOperation({
    id: 'drive.unshare',
    title: 'Stop sharing a file',
    help: 'Takes access from a person, a group, a domain or everyone who has the link.',
    limits: driveRateLimit,
    parameters: {
      file: listedFileId,
      permission: listedLineParameter('Permission', 'permissions', ['file'], 200).describe(
        'Its id, from the list of who may open the file',
      ),
    },
    *steps({ file: of, permission }) {
      const path = `${driveFilePath(of)}/permissions/${encodeURIComponent(permission)}`;
      yield { method: 'DELETE', api: DRIVE_API, path, query: sharedDriveQuery };
      return { permission, removed: true };
    },
    example: { permission: '06450127', removed: true },
  }),
];
