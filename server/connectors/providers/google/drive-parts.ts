import { driveIdParameter, extractDriveId } from './ids';

// https://developers.google.com/workspace/drive/api/reference/rest/v3
export const DRIVE_API = 'drive';
export const DRIVE_FILE_FIELDS = 'id,name,mimeType,size,createdTime,modifiedTime,parents,webViewLink,trashed';
/** Files of shared drives are files like others. */
export const sharedDriveQuery = { supportsAllDrives: true };
export const driveFolderId = driveIdParameter('Folder', 'folders')
  .optional()
  .describe('Id or address of the folder; empty: My Drive');
export const DRIVE_FOLDER_TYPE = 'application/vnd.google-apps.folder';

// https://developers.google.com/workspace/drive/api/guides/limits
export const driveRateLimit = '12,000 calls a minute for a project and for a user.';
export const driveFileExample = {
  id: '1sTWaJ_j7PkjzaBWtNc3IzovK5hQf21FbOw9yLeeLPNQ',
  name: 'report.pdf',
  mimeType: 'application/pdf',
  size: '53072',
  createdTime: '2026-01-31T08:15:30.000Z',
  modifiedTime: '2026-01-31T08:15:30.000Z',
  parents: ['0AEd3EhGff2SaUk9PVA'],
  webViewLink: 'https://drive.google.com/file/d/1sTW…/view',
};

export const driveFilePath = (id: string) => `/files/${encodeURIComponent(extractDriveId(id))}`;
/** Quotes a text for a search query of Drive. */
export const quoteDriveText = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The metadata of a new file. */
export const newFileMetadata = (name: string, parent: string | undefined, others: object = {}) => ({
  name,
  ...(parent === undefined ? {} : { parents: [extractDriveId(parent)] }),
  ...others,
});
