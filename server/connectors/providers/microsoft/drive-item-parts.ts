import type { z } from 'zod';
import { choiceParameter, listedLineParameter } from '../../parameters';
import { encodePathPart } from './graph-parts';

// https://learn.microsoft.com/graph/api/resources/driveitem
export const driveItemExample = {
  id: '01BYE5RZ6QN3ZWBTUFOFD3GSPGOHDJD36K',
  name: 'report.pdf',
  size: 53_072,
  createdDateTime: '2026-01-31T08:15:30Z',
  lastModifiedDateTime: '2026-01-31T08:15:30Z',
  webUrl: 'https://example-my.sharepoint.com/personal/me/Documents/report.pdf',
  parentReference: { driveId: 'b!-RIj2DuyvEyV1T4NlOaMHk8XkS_I8MdFlUCq1BlcjgmhRfAj3-Z8RY2VpuvV_tpd', id: '01BYE5RZ' },
  file: { mimeType: 'application/pdf' },
};
const { file: _, ...itemFacts } = driveItemExample;
export const driveFolderExample = { ...itemFacts, name: 'Invoices', folder: { childCount: 3 } };

export const driveItemIdIn = ({ sources }: DriveItemFamily) =>
  listedLineParameter('File', sources.files, sources.dependsOn, 2000).describe('Id of the file or folder');
export const folderIdIn = ({ sources }: DriveItemFamily, title: string) =>
  listedLineParameter(title, sources.folders, sources.dependsOn, 2000).describe(
    'Id of the folder; root: the top of the drive',
  );
export const folderToListIdIn = (family: DriveItemFamily) => folderIdIn(family, 'Folder').default('root');
export const conflictParameter = choiceParameter('If it exists', ['replace', 'rename', 'fail'])
  .optional()
  .describe('What happens to a file of the same name; default replace');

/** Where the items of a kind of drive are: the own one, or that of a library. */
export interface DriveItemFamily {
  /** The first part of the ids of its operations. */
  files: string;
  folders: string;
  /** What people call the service, for the search of triggers. */
  words: string;
  path: string;
  inPath: Record<string, z.ZodString>;
  /** Parameters that only say what others are picked from. */
  unsent: z.ZodRawShape;
  /** What files and folders are picked from. */
  sources: { files: string; folders: string; dependsOn: string[] };
}

/** The path of a drive whose parameters are known. */
export const drivePath = ({ path, inPath }: DriveItemFamily, values: Record<string, unknown>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_slot, name: string) => (name in inPath ? encodePathPart(String(values[name])) : ''));

/** The path of an item of a drive. */
export const driveItemPath = (
  family: DriveItemFamily,
  values: Record<string, unknown>,
  id: string,
  part = '',
): string => `${drivePath(family, values)}/items/${encodePathPart(id)}${part}`;
