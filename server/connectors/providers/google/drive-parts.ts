import { fileId, idIn } from './ids';

// https://developers.google.com/workspace/drive/api/reference/rest/v3
export const api = 'drive';
export const FIELDS = 'id,name,mimeType,size,createdTime,modifiedTime,parents,webViewLink,trashed';
/** Files of shared drives are files like others. */
export const shared = { supportsAllDrives: true };
export const folder = fileId('Folder').optional().describe('Id or address of the folder; empty: My Drive');
export const FOLDER = 'application/vnd.google-apps.folder';

// https://developers.google.com/workspace/drive/api/guides/limits
export const limits = '12,000 calls a minute for a project and for a user.';
export const one = {
  id: '1sTWaJ_j7PkjzaBWtNc3IzovK5hQf21FbOw9yLeeLPNQ',
  name: 'report.pdf',
  mimeType: 'application/pdf',
  size: '53072',
  createdTime: '2026-01-31T08:15:30.000Z',
  modifiedTime: '2026-01-31T08:15:30.000Z',
  parents: ['0AEd3EhGff2SaUk9PVA'],
  webViewLink: 'https://drive.google.com/file/d/1sTW…/view',
};

export const pathOf = (id: string) => `/files/${encodeURIComponent(idIn(id))}`;
/** A text in a search of Drive. */
export const quoted = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** What a new file is created with. */
export const facts = (name: string, parent: string | undefined, others: object = {}) => ({
  name,
  ...(parent === undefined ? {} : { parents: [idIn(parent)] }),
  ...others,
});
