import type { OperationDefinition } from '../../operation';
import { createDriveItemOperations } from './drive-items';
import { microsoftGraphPaging, SHAREPOINT_RATE_LIMIT } from './graph-parts';

const driveExample = {
  id: 'b!-RIj2DuyvEyV1T4NlOaMHk8XkS_I8MdFlUCq1BlcjgmhRfAj3-Z8RY2VpuvV_tpd',
  name: 'OneDrive',
  driveType: 'business',
  webUrl: 'https://example-my.sharepoint.com/personal/me/Documents',
};

/** Operations with the files of the connected account. */
export const onedriveOperations: OperationDefinition[] = [
  ...createDriveItemOperations({
    files: 'files',
    folders: 'folders',
    words: 'onedrive',
    path: '/me/drive',
    inPath: {},
    unsent: {},
    sources: { files: 'files', folders: 'folders', dependsOn: [] },
  }),
  {
    id: 'drives.list',
    title: 'List drives',
    help: 'Drives of the account, with their ids.',
    limits: SHAREPOINT_RATE_LIMIT,
    method: 'GET',
    path: '/me/drives',
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [driveExample] },
  },
];
