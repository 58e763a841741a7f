import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { defineSteppedOperation, type OperationDefinition, type PollPreset } from '../../operation';
import { jsonObjectParameter, valueLineParameter } from '../../parameters';
import { createDriveItemChanges } from './drive-item-changes';
import {
  driveFolderExample,
  driveItemExample,
  driveItemIdIn,
  driveItemPath,
  folderIdIn,
  folderToListIdIn,
  type DriveItemFamily,
} from './drive-item-parts';
import {
  collectGraphItems,
  graphLimitParameter,
  graphODataNames,
  graphOrderParameter,
  graphPageSizeParameter,
  microsoftGraphPaging,
  SHAREPOINT_RATE_LIMIT,
} from './graph-parts';

/** Operations with the files and folders of a drive. */
export function createDriveItemOperations(family: DriveItemFamily): OperationDefinition[] {
  const { files, folders, words, path, inPath, unsent } = family;
  const driveItemId = driveItemIdIn(family);
  const folderToListId = folderToListIdIn(family);
  const shared = { limits: SHAREPOINT_RATE_LIMIT };
  const changePoll: PollPreset = {
    title: 'New or changed file',
    words: `${words} trigger file updated modified changed folder`,
    parameters: { top: 200, allPages: true },
    items: '[$filter(input.body, function($item) { $exists($item.file) })]',
    key: "item.id & ' ' & item.lastModifiedDateTime",
  };
  return [
    {
      ...shared,
      id: `${files}.list`,
      title: 'List files of a folder',
      help: 'Files and folders directly in it.',
      method: 'GET',
      path: `${path}/items/{folderId}/children`,
      unsent,
      inPath: { ...inPath, folderId: folderToListId },
      inQuery: { top: graphPageSizeParameter, order: graphOrderParameter },
      names: graphODataNames,
      items: 'value',
      paging: microsoftGraphPaging,
      example: { value: [driveItemExample] },
      poll: {
        ...changePoll,
        title: 'New file',
        words: `${words} trigger file created uploaded folder`,
        key: 'item.id',
      },
    },
    {
      ...shared,
      id: `${files}.list_by_change`,
      title: 'List files of a folder by their changes',
      help: 'Files and folders directly in it, the last changed first.',
      method: 'GET',
      path: `${path}/items/{folderId}/children`,
      unsent,
      inPath: { ...inPath, folderId: folderToListId },
      inQuery: { top: graphPageSizeParameter },
      names: graphODataNames,
      query: { $orderby: 'lastModifiedDateTime desc' },
      items: 'value',
      paging: microsoftGraphPaging,
      example: { value: [driveItemExample] },
      poll: changePoll,
    },
    {
      ...shared,
      id: `${files}.get`,
      title: 'Get the facts of a file',
      help: 'Name, size, folder and address.',
      method: 'GET',
      path: `${path}/items/{fileId}`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      example: driveItemExample,
      poll: {
        title: 'Change of one file',
        words: `${words} trigger file updated modified specific file`,
        items: '[input.body]',
        key: "item.id & ' ' & item.lastModifiedDateTime",
      },
    },
    {
      ...shared,
      id: `${files}.search`,
      title: 'Search files',
      help: 'By words in names and contents.',
      method: 'GET',
      path: `${path}/root/search(q='{text}')`,
      unsent,
      inPath: { ...inPath, text: valueLineParameter('Text', 'search').describe('Words, or a part of the name') },
      items: 'value',
      paging: microsoftGraphPaging,
      example: { value: [driveItemExample] },
    },
    {
      ...shared,
      id: `${files}.download`,
      title: 'Download a file',
      help: 'Stores the content as a file of the run.',
      method: 'GET',
      path: `${path}/items/{fileId}/content`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      asFile: true,
      example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
    },
    {
      ...shared,
      id: `${files}.download_as_pdf`,
      title: 'Download a file as PDF',
      help: 'Documents of Word, Excel, PowerPoint and others are converted.',
      method: 'GET',
      path: `${path}/items/{fileId}/content`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      query: { format: 'pdf' },
      asFile: true,
      example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
    },
    ...createDriveItemChanges(family),
    {
      ...shared,
      id: `${files}.list_permissions`,
      title: 'List who may open a file',
      help: 'People, groups and links, with their roles.',
      method: 'GET',
      path: `${path}/items/{fileId}/permissions`,
      unsent,
      inPath: { ...inPath, fileId: driveItemId },
      items: 'value',
      paging: microsoftGraphPaging,
      example: { value: [{ id: '123ABC', roles: ['write'], link: { type: 'edit' } }] },
    },
    defineSteppedOperation({
      ...shared,
      id: `${folders}.list`,
      title: 'List folders',
      help: 'Those directly in a folder.',
      parameters: { ...unsent, ...inPath, folderId: folderToListId, limit: graphLimitParameter },
      *steps({ folderId, limit, ...values }) {
        const query = { $top: 999 };
        const all = yield* collectGraphItems(
          { path: driveItemPath(family, values, folderId, '/children'), query },
          10_000,
        );
        return all.filter((item) => getAtPath(item, 'folder') !== undefined).slice(0, limit);
      },
      example: [driveFolderExample],
      poll: {
        title: 'New folder',
        words: `${words} trigger folder created`,
        items: 'input.body',
        key: 'item.id',
      },
    }),
    {
      ...shared,
      id: `${folders}.create`,
      title: 'Create a folder',
      help: 'In another folder.',
      method: 'POST',
      path: `${path}/items/{parentId}/children`,
      unsent,
      inPath: { ...inPath, parentId: folderIdIn(family, 'In folder').default('root') },
      inBody: {
        name: valueLineParameter('Name', 'new name', 400).describe('Name of the folder'),
        folder: jsonObjectParameter('Folder facet').default({}).describe('Settings of Graph; mostly empty'),
      },
      example: driveFolderExample,
    },
  ];
}
