import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorChoiceSource } from '../../choices';

const listValues = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What is below the root, page by page, or what a search by names finds. `kind`: only entries with this tag. */
const entries = (kind?: 'folder'): ConnectorChoiceSource => ({
  searches: true,
  *steps({ search, page }) {
    // https://www.dropbox.com/developers/documentation/http/documentation#files-search
    const options = {
      filename_only: true,
      max_results: 100,
      ...(kind ? { file_categories: [{ '.tag': kind }] } : {}),
    };
    const call = page === null ? '' : search === '' ? '/continue' : '/continue_v2';
    const path = search === '' ? `/files/list_folder${call}` : `/files/search${call === '' ? '_v2' : call}`;
    const value =
      page !== null
        ? { cursor: page }
        : search === ''
          ? { path: '', recursive: true, limit: 500 }
          : { query: search, options };
    const { body } = yield { method: 'POST', path, body: { as: 'json', value } };
    const found =
      search === ''
        ? listValues(getAtPath(body, 'entries'))
        : listValues(getAtPath(body, 'matches')).map((match) => getAtPath(match, 'metadata.metadata'));
    const cursor = getAtPath(body, 'cursor');
    return {
      items: found.filter((entry) => kind === undefined || getAtPath(entry, '.tag') === kind),
      next: getAtPath(body, 'has_more') === true && typeof cursor === 'string' ? cursor : null,
    };
  },
  value: 'path_display',
  label: ['path_display'],
  ...(kind ? {} : { hint: 'server_modified' }),
});

/** What lists the choices of Dropbox. */
export const dropboxChoices: Record<string, ConnectorChoiceSource> = { entries: entries(), folders: entries('folder') };
