import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  fileParameter,
  listedLineListParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import {
  conflictParameter,
  driveItemExample,
  driveItemIdIn,
  driveItemPath,
  drivePath,
  folderIdIn,
  folderToListIdIn,
  type DriveItemFamily,
} from './drive-item-parts';
import { encodePathPart, SHAREPOINT_RATE_LIMIT } from './graph-parts';

/** https://learn.microsoft.com/graph/api/driveitem-put-content */
const MAX_SIMPLE_UPLOAD_BYTES = 250 * 1_000_000;

/** Operations that add, change and share the files of a drive. */
export function createDriveItemChanges(family: DriveItemFamily): OperationDefinition[] {
  const { files, path, inPath, unsent } = family;
  const driveItemId = driveItemIdIn(family);
  const folderToListId = folderToListIdIn(family);
  return [
    defineSteppedOperation({
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.upload`,
      title: 'Upload a file',
      help: 'Stores a file of the run in a folder.',
      parameters: {
        ...unsent,
        ...inPath,
        file: fileParameter('File'),
        folderId: folderToListId,
        name: valueLineParameter('Name', 'new name', 400).optional().describe('Default: the name of the file'),
        ifExists: conflictParameter,
      },
      *steps({ file, folderId, name = file.name, ifExists, ...values }) {
        if (file.size > MAX_SIMPLE_UPLOAD_BYTES)
          throw new NodeFailure('TOO_LARGE', 'Files of at most 250 MB can be uploaded.', false);
        return (yield {
          method: 'PUT',
          path: driveItemPath(family, values, folderId, `:/${encodePathPart(name)}:/content`),
          query: { '@microsoft.graph.conflictBehavior': ifExists },
          body: { as: 'file', file },
        }).body;
      },
      example: driveItemExample,
    }),
    defineSteppedOperation({
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.create_text`,
      title: 'Create a text file',
      help: 'Stores a text in a folder.',
      parameters: {
        ...unsent,
        ...inPath,
        name: valueLineParameter('Name', 'new name', 400).describe('e.g. notes.txt'),
        text: multilineParameter('Text', 4_000_000).describe('Content of the file'),
        folderId: folderToListId,
        ifExists: conflictParameter,
      },
      *steps({ name, text, folderId, ifExists, ...values }) {
        return (yield {
          method: 'PUT',
          path: driveItemPath(family, values, folderId, `:/${encodePathPart(name)}:/content`),
          query: { '@microsoft.graph.conflictBehavior': ifExists },
          body: { as: 'text', text, type: 'text/plain; charset=utf-8' },
        }).body;
      },
      example: { ...driveItemExample, name: 'notes.txt', file: { mimeType: 'text/plain' } },
    }),
    {
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.replace_content`,
      title: 'Replace the content of a file',
      help: 'The file keeps its id and address.',
      method: 'PUT',
      path: `${path}/items/{fileId}/content`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      inBody: { content: fileParameter('Content') },
      wholeBody: 'content',
      bodyAs: 'file',
      example: driveItemExample,
    },
    {
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.update`,
      title: 'Rename a file',
      help: 'Or a folder.',
      method: 'PATCH',
      path: `${path}/items/{fileId}`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      inBody: { name: valueLineParameter('New name', 'new name', 400).describe('With its ending, e.g. report.pdf') },
      example: driveItemExample,
    },
    defineSteppedOperation({
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.move`,
      title: 'Move a file',
      help: 'A file or a folder to another folder of the same drive.',
      parameters: {
        ...unsent,
        ...inPath,
        fileId: driveItemId,
        folderId: folderIdIn(family, 'To folder'),
        name: valueLineParameter('Name', 'new name', 400).optional().describe('The new name; empty: it stays'),
      },
      *steps({ fileId, folderId, name, ...values }) {
        const value = { parentReference: { id: folderId }, name };
        return (yield { method: 'PATCH', path: driveItemPath(family, values, fileId), body: { as: 'json', value } })
          .body;
      },
      example: driveItemExample,
    }),
    defineSteppedOperation({
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.copy`,
      title: 'Copy a file',
      help: 'A file or a folder. Microsoft copies later: the answer names an address that tells when it is done.',
      parameters: {
        ...unsent,
        ...inPath,
        fileId: driveItemId,
        folderId: folderIdIn(family, 'To folder').optional(),
        name: valueLineParameter('Name', 'new name', 400)
          .optional()
          .describe('Name of the copy; needed in the same folder'),
      },
      *steps({ fileId, folderId, name, ...values }) {
        const drive = drivePath(family, values);
        const driveId =
          folderId === undefined ? undefined : getAtPath((yield { path: drive, query: { $select: 'id' } }).body, 'id');
        const value = { name, parentReference: folderId === undefined ? undefined : { driveId, id: folderId } };
        const { headers } = yield {
          method: 'POST',
          path: driveItemPath(family, values, fileId, '/copy'),
          body: { as: 'json', value },
        };
        return { status: 'started', monitorUrl: headers['location'] ?? null };
      },
      example: { status: 'started', monitorUrl: 'https://example.sharepoint.com/_api/v2.0/monitor/4A3407B5' },
    }),
    {
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.delete`,
      title: 'Delete a file',
      help: 'Or a folder: it goes to the recycle bin.',
      method: 'DELETE',
      path: `${path}/items/{fileId}`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      example: null,
    },
    {
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.share`,
      title: 'Create a link to a file',
      help: 'Or to a folder: whoever has the link may open it.',
      method: 'POST',
      path: `${path}/items/{fileId}/createLink`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      inBody: {
        type: choiceParameter('Kind', ['view', 'edit', 'embed']).describe('What people may do with it'),
        scope: choiceParameter('Who', ['anonymous', 'organization', 'users'])
          .optional()
          .describe('Default: as the organization has settled it'),
      },
      example: {
        id: '123ABC',
        roles: ['read'],
        link: { type: 'view', webUrl: 'https://1drv.ms/A6913278E564460AA616C' },
      },
    },
    defineSteppedOperation({
      limits: SHAREPOINT_RATE_LIMIT,
      id: `${files}.invite`,
      title: 'Share a file with people',
      help: 'Or a folder.',
      parameters: {
        ...unsent,
        ...inPath,
        fileId: driveItemId,
        people: listedLineListParameter('People', 'emailAddresses').describe('Email addresses'),
        role: choiceParameter('Role', ['read', 'write']).describe('What they may do'),
        text: multilineParameter('Text', 2000).optional().describe('Of the email to them'),
        isSilent: booleanParameter('Send no email').optional().describe('Default: people are told'),
      },
      *steps({ fileId, people, role, text: message, isSilent, ...values }) {
        const value = {
          recipients: people.map((email) => ({ email })),
          roles: [role],
          message,
          sendInvitation: !isSilent,
          requireSignIn: true,
        };
        return (yield {
          method: 'POST',
          path: driveItemPath(family, values, fileId, '/invite'),
          body: { as: 'json', value },
        }).body;
      },
      example: { value: [{ id: '123ABC', roles: ['read'], grantedTo: { user: { displayName: 'Ada Lovelace' } } }] },
    }),
  ];
}
