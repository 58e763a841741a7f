import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { SteppedChoiceSource } from '../../choices';
import { encodePathPart, graphPage } from './graph-parts';

const driveAddress = (driveId: string | undefined): string =>
  driveId === undefined ? '/me/drive' : `/drives/${encodePathPart(driveId)}`;

const searchAddress = (drive: string, text: string): string =>
  `${drive}/root/search(q='${encodeURIComponent(text.replaceAll("'", "''")).replaceAll("'", '%27')}')`;

/** The files or folders at the top of a drive; with a text those of the whole drive. */
export const driveItemSource = (field: 'driveId' | undefined, kind: 'file' | 'folder'): SteppedChoiceSource => ({
  ...(field ? { dependsOn: [field] } : {}),
  ...(kind === 'folder' ? { first: [{ value: 'root', label: 'Top of the drive', hint: 'root' }] } : {}),
  searches: true,
  *steps({ values, search, page }) {
    const drive = driveAddress(field && values[field]);
    const path = search === '' ? `${drive}/root/children` : searchAddress(drive, search);
    const { items, next } = yield* graphPage({ path, query: { $top: 200 } }, page);
    return { items: kind === 'file' ? items : items.filter((item) => getAtPath(item, 'folder') !== undefined), next };
  },
  value: 'id',
  label: ['name'],
  hint: 'webUrl',
});

/** The drives of the account, or the libraries of a site. */
export const driveSource: SteppedChoiceSource = {
  dependsOn: ['siteId?'],
  *steps({ values: { siteId }, page }) {
    const path = siteId === undefined ? '/me/drives' : `/sites/${encodePathPart(siteId)}/drives`;
    return yield* graphPage({ path }, page);
  },
  value: 'id',
  label: ['name'],
  hint: 'webUrl',
};

/** The Excel files of a drive. */
export const workbookSource: SteppedChoiceSource = {
  dependsOn: ['driveId?'],
  searches: true,
  *steps({ values: { driveId }, search, page }) {
    const path = searchAddress(driveAddress(driveId), search === '' ? '.xlsx' : search);
    const { items, next } = yield* graphPage({ path, query: { $top: 200 } }, page);
    return { items: items.filter((item) => /\.xls[xmb]$/i.test(String(getAtPath(item, 'name')))), next };
  },
  value: 'id',
  label: ['name'],
  hint: 'webUrl',
};
