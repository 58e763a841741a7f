import { NodeFailure } from '@/server/platform/errors/node-failure';
import { listedLineParameter } from '../../parameters';

/** The id in an address such as https://docs.google.com/spreadsheets/d/<id>/edit, or the id itself. */
export function extractDriveId(given: string): string {
  const [, id = given] = /\/(?:d|folders)\/([\w-]{10,})/.exec(given) ?? [];
  if (/^[\w-]+$/.test(id)) return id;
  throw new NodeFailure('CONFIG', `"${given.slice(0, 100)}" is neither an id nor an address of Google Drive.`, false);
}

/** A file or folder of Drive, of those that a source lists. */
export const driveIdParameter = (title: string, source: string) =>
  listedLineParameter(title, source, [], 2000).describe('Its id, or its address in the browser');
