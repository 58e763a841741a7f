import { defineSteppedOperation, type ApiRequest, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  countParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { driveContentOperations } from './drive-content';
import { driveListOperations } from './drive-lists';
import {
  DRIVE_API,
  newFileMetadata,
  DRIVE_FILE_FIELDS,
  DRIVE_FOLDER_TYPE,
  driveFolderId,
  driveRateLimit,
  driveFileExample,
  driveFilePath,
  sharedDriveQuery,
} from './drive-parts';
import { searchDriveFiles } from './drive-search';
import { driveIdParameter, extractDriveId } from './ids';

const driveFileId = driveIdParameter('File', 'filesAndFolders');

const patchDriveFile = (id: string, value: object, query: object = {}): ApiRequest => ({
  method: 'PATCH',
  api: DRIVE_API,
  path: driveFilePath(id),
  query: { ...sharedDriveQuery, fields: DRIVE_FILE_FIELDS, ...query },
  body: { as: 'json', value },
});

export const googleDriveOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'drive.search',
    title: 'Search files',
    help: 'Files and folders by name, folder, type or a query of Drive.',
    limits: driveRateLimit,
    parameters: {
      name: valueLineParameter('Name', 'search').optional().describe('A part of the name'),
      folder: driveIdParameter('Folder', 'folders').optional().describe('Only files in this folder'),
      type: listedLineParameter('Type', 'fileTypes', [], 200)
        .optional()
        .describe(`MIME type, e.g. application/pdf or ${DRIVE_FOLDER_TYPE}`),
      query: valueLineParameter('Query', 'query', 5000)
        .optional()
        .describe("Further terms, e.g. modifiedTime > '2026-01-01T00:00:00'"),
      createdAfter: valueLineParameter('Created after', 'quantity', 64).optional().describe('ISO 8601'),
      limit: countParameter('Files', 1000).optional().describe('At most 1,000; default 100'),
      orderBy: valueLineParameter('Order', 'query', 200)
        .optional()
        .describe('e.g. name, modifiedTime desc; default createdTime desc'),
    },
    *steps(search) {
      return yield* searchDriveFiles(search);
    },
    example: [driveFileExample],
    poll: {
      title: 'New file',
      words: 'google drive trigger file created uploaded folder',
      parameters: { createdAfter: '{{ cursor }}', limit: 1000 },
      items: 'input.body',
      key: 'item.id',
      cursor: '$sort(input.body.createdTime)[-1]',
    },
  }),
  defineSteppedOperation({
    id: 'drive.get',
    title: 'Get the facts of a file',
    help: 'Name, type, size, folders and address.',
    limits: driveRateLimit,
    parameters: { file: driveFileId },
    *steps({ file: of }) {
      return (yield {
        api: DRIVE_API,
        path: driveFilePath(of),
        query: { ...sharedDriveQuery, fields: DRIVE_FILE_FIELDS },
      }).body;
    },
    example: driveFileExample,
    poll: {
      title: 'Change of one file',
      words: 'google drive trigger file updated modified specific file',
      items: '[input.body]',
      key: "item.id & ' ' & item.modifiedTime",
    },
  }),
  ...driveListOperations,
  ...driveContentOperations,
  defineSteppedOperation({
    id: 'drive.create_folder',
    title: 'Create a folder',
    help: 'In My Drive or in another folder.',
    limits: driveRateLimit,
    parameters: {
      name: valueLineParameter('Name', 'new name', 500).describe('Name of the folder'),
      folder: driveFolderId,
    },
    *steps({ name, folder: parent }) {
      return (yield {
        method: 'POST',
        api: DRIVE_API,
        path: '/files',
        query: { ...sharedDriveQuery, fields: DRIVE_FILE_FIELDS },
        body: { as: 'json', value: newFileMetadata(name, parent, { mimeType: DRIVE_FOLDER_TYPE }) },
      }).body;
    },
    example: { ...driveFileExample, name: 'Invoices', mimeType: DRIVE_FOLDER_TYPE },
  }),
  defineSteppedOperation({
    id: 'drive.copy',
    title: 'Copy a file',
    help: 'Also documents of Google, e.g. to fill in a template.',
    limits: driveRateLimit,
    parameters: {
      file: driveFileId,
      name: valueLineParameter('Name', 'new name', 500).optional().describe('Name of the copy'),
      folder: driveFolderId,
    },
    *steps({ file: of, name, folder: parent }) {
      const value = {
        ...(name === undefined ? {} : { name }),
        ...(parent === undefined ? {} : { parents: [extractDriveId(parent)] }),
      };
      return (yield {
        method: 'POST',
        api: DRIVE_API,
        path: `${driveFilePath(of)}/copy`,
        query: { ...sharedDriveQuery, fields: DRIVE_FILE_FIELDS },
        body: { as: 'json', value },
      }).body;
    },
    example: driveFileExample,
  }),
  defineSteppedOperation({
    id: 'drive.move',
    title: 'Move or rename a file',
    help: 'To another folder, or with another name.',
    limits: driveRateLimit,
    parameters: {
      file: driveFileId,
      folder: driveFolderId,
      name: valueLineParameter('Name', 'new name', 500).optional().describe('The new name; empty: it stays'),
    },
    *steps({ file: of, folder: parent, name }) {
      const renamed = name === undefined ? {} : { name };
      if (parent === undefined) return (yield patchDriveFile(of, renamed)).body;
      const { body } = yield {
        api: DRIVE_API,
        path: driveFilePath(of),
        query: { ...sharedDriveQuery, fields: 'parents' },
      };
      const removeParents = ((getAtPath(body, 'parents') ?? []) as string[]).join(',');
      return (yield patchDriveFile(of, renamed, {
        addParents: extractDriveId(parent),
        removeParents: removeParents || undefined,
      })).body;
    },
    example: driveFileExample,
  }),
  defineSteppedOperation({
    id: 'drive.share',
    title: 'Share a file',
    help: 'With a person, a group, a domain or everyone who has the link.',
    limits: driveRateLimit,
    parameters: {
      file: driveFileId,
      role: choiceParameter('Role', ['reader', 'commenter', 'writer']).describe('What they may do'),
      with: choiceParameter('With', ['user', 'group', 'domain', 'anyone']).describe('Who gets access'),
      email: valueLineParameter('Email address or domain', 'address', 320)
        .optional()
        .describe('Of the user, group or domain'),
      notifies: booleanParameter('Send an email').optional().describe('Default: people are told'),
    },
    *steps({ file: of, role, with: type, email, notifies = true }) {
      const address = type === 'domain' ? { domain: email } : { emailAddress: email };
      return (yield {
        method: 'POST',
        api: DRIVE_API,
        path: `${driveFilePath(of)}/permissions`,
        query: {
          ...sharedDriveQuery,
          sendNotificationEmail: type === 'user' || type === 'group' ? notifies : undefined,
        },
        body: { as: 'json', value: { role, type, ...(type === 'anyone' ? {} : address) } },
      }).body;
    },
    example: { kind: 'drive#permission', id: '06450127', type: 'user', role: 'reader' },
  }),
  defineSteppedOperation({
    id: 'drive.delete',
    title: 'Delete a file',
    help: 'Moves it to the trash, or deletes it for good.',
    limits: driveRateLimit,
    parameters: {
      file: driveFileId,
      isPermanent: booleanParameter('For good').optional().describe('It cannot be restored'),
    },
    *steps({ file: of, isPermanent }) {
      if (!isPermanent) return (yield patchDriveFile(of, { trashed: true })).body;
      yield { method: 'DELETE', api: DRIVE_API, path: driveFilePath(of), query: sharedDriveQuery };
      return { id: extractDriveId(of), deleted: true };
    },
    example: { ...driveFileExample, trashed: true },
  }),
];
