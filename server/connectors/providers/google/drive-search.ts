import type { OperationSteps } from '../../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { DRIVE_API, DRIVE_FILE_FIELDS, quoteDriveText, sharedDriveQuery } from './drive-parts';
import { extractDriveId } from './ids';

interface DriveSearch {
  name?: string | undefined;
  folder?: string | undefined;
  type?: string | undefined;
  query?: string | undefined;
  createdAfter?: string | undefined;
  modifiedAfter?: string | undefined;
  limit?: number | undefined;
  orderBy?: string | undefined;
}

/** Finds files of the account and of shared drives. */
export function* searchDriveFiles({
  name,
  folder: parent,
  type,
  query,
  createdAfter,
  modifiedAfter,
  limit = 100,
  orderBy = 'createdTime desc',
}: DriveSearch): OperationSteps {
  const q = [
    'trashed = false',
    ...(name === undefined ? [] : [`name contains ${quoteDriveText(name)}`]),
    ...(parent === undefined ? [] : [`${quoteDriveText(extractDriveId(parent))} in parents`]),
    ...(type === undefined ? [] : [`mimeType = ${quoteDriveText(type)}`]),
    ...(createdAfter === undefined ? [] : [`createdTime >= ${quoteDriveText(createdAfter)}`]),
    ...(modifiedAfter === undefined ? [] : [`modifiedTime >= ${quoteDriveText(modifiedAfter)}`]),
    ...(query === undefined ? [] : [`(${query})`]),
  ].join(' and ');
  const all: unknown[] = [];
  let pageToken: unknown;
  do {
    const { body } = yield {
      api: DRIVE_API,
      path: '/files',
      query: {
        ...sharedDriveQuery,
        includeItemsFromAllDrives: true,
        q,
        orderBy,
        pageSize: Math.min(limit - all.length, 1000),
        fields: `nextPageToken,files(${DRIVE_FILE_FIELDS})`,
        pageToken,
      },
    };
    all.push(...((getAtPath(body, 'files') ?? []) as unknown[]));
    pageToken = getAtPath(body, 'nextPageToken');
  } while (pageToken !== undefined && all.length < limit);
  return all;
}
