import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  countParameter,
  fileParameter,
  listedLineParameter,
  valueLineParameter,
} from '../../parameters';
import { dropboxChoices } from './dropbox-choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://www.dropbox.com/developers/documentation/http/documentation
const dropboxPath = listedLineParameter('Path', 'entries', [], 4000).describe('e.g. /invoices/42.pdf');
const dropboxNewPath = valueLineParameter('Path', 'new name', 4000).describe('e.g. /invoices/42.pdf');
const dropboxRateLimit = 'Not stated by number; busy accounts get 429 with a time to wait.';
const dropboxFileExample = {
  '.tag': 'file',
  id: 'id:a4ayc_80_OEAAAAAAAAAXw',
  name: '42.pdf',
  path_display: '/invoices/42.pdf',
  size: 53_072,
  server_modified: '2026-01-31T08:15:30Z',
};

/** Parameters as a header, which takes ASCII only. */
const dropboxArgumentHeader = (value: object) => ({
  'Dropbox-API-Arg': JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
});

export const dropboxConnector: ConnectorDefinition = {
  id: 'dropbox',
  name: 'Dropbox',
  description: 'Files and folders.',
  synonyms: ['files', 'storage', 'upload', 'download', 'folder', 'cloud'],
  flow: 'authorization_code',
  // https://developers.dropbox.com/oauth-guide
  authorizeUrl: 'https://www.dropbox.com/oauth2/authorize',
  tokenUrl: 'https://api.dropboxapi.com/oauth2/token',
  apiUrl: 'https://api.dropboxapi.com/2',
  apis: { content: 'https://content.dropboxapi.com/2' },
  scopes: {
    'account_info.read': 'account_info.read',
    'files.metadata.read': 'files.metadata.read',
    'files.content.read': 'files.content.read',
    'files.content.write': 'files.content.write',
  },
  optionalScopes: { 'sharing.write': 'sharing.write', 'sharing.read': 'sharing.read' },
  // A refresh token comes only with `offline`; it does not change.
  authorizeParams: { token_access_type: 'offline' },
  clientAuthentication: 'basic',
  setup:
    'At dropbox.com/developers/apps create an app with scoped access, tick the permissions, and add the redirect URL. Key and secret are client id and client secret.',
  probe: { path: '/users/get_current_account', method: 'POST' },
  // The page gives no number.
  limits: { source: 'https://developers.dropbox.com/dbx-performance-guide' },
  choices: dropboxChoices,
  operations: [
    defineSteppedOperation({
      id: 'files.list',
      title: 'List a folder',
      help: 'Files and folders, with their facts.',
      limits: dropboxRateLimit,
      parameters: {
        path: listedLineParameter('Folder', 'folders', [], 4000).optional().describe('e.g. /invoices; empty: the root'),
        isDeep: booleanParameter('With subfolders').optional().describe('Also what is inside of folders'),
        limit: countParameter('Entries', 10_000).optional().describe('At most 10,000; default 2,000'),
      },
      *steps({ path: folder = '', isDeep = false, limit = 2000 }) {
        const value = { path: folder === '/' ? '' : folder, recursive: isDeep, limit: Math.min(limit, 2000) };
        let { body } = yield { method: 'POST', path: '/files/list_folder', body: { as: 'json', value } };
        const entries = [...((getAtPath(body, 'entries') ?? []) as unknown[])];
        while (getAtPath(body, 'has_more') === true && entries.length < limit) {
          const next = { cursor: getAtPath(body, 'cursor') };
          ({ body } = yield { method: 'POST', path: '/files/list_folder/continue', body: { as: 'json', value: next } });
          entries.push(...((getAtPath(body, 'entries') ?? []) as unknown[]));
        }
        return entries.slice(0, limit);
      },
      example: [dropboxFileExample],
      poll: {
        title: 'New file in a folder',
        words: 'dropbox trigger file created uploaded folder',
        parameters: { limit: 10_000 },
        items: 'input.body',
        key: 'item.id',
      },
    }),
    defineSteppedOperation({
      id: 'files.upload',
      title: 'Upload a file',
      help: 'A file of the run, at most 150 MB.',
      limits: dropboxRateLimit,
      parameters: {
        file: fileParameter('File'),
        path: dropboxNewPath,
        mode: choiceParameter('If it exists', ['add', 'overwrite'])
          .optional()
          .describe('add (default): with another name'),
      },
      *steps({ file: content, path: to, mode = 'add' }) {
        const headers = dropboxArgumentHeader({ path: to, mode, autorename: mode === 'add' });
        const body = { as: 'file', file: content, type: 'application/octet-stream' } as const;
        return (yield { method: 'POST', api: 'content', path: '/files/upload', headers, body }).body;
      },
      example: dropboxFileExample,
    }),
    defineSteppedOperation({
      id: 'files.download',
      title: 'Download a file',
      help: 'Stores it as a file of the run.',
      limits: dropboxRateLimit,
      parameters: { path: dropboxPath },
      *steps({ path: from }) {
        const asFile = { name: from.split('/').at(-1) ?? from };
        return (yield {
          method: 'POST',
          api: 'content',
          path: '/files/download',
          headers: dropboxArgumentHeader({ path: from }),
          asFile,
        }).body;
      },
      example: { $file: 'file_…', name: '42.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
    }),
    {
      id: 'files.search',
      title: 'Search files',
      help: 'By name and content.',
      limits: dropboxRateLimit,
      method: 'POST',
      path: '/files/search_v2',
      inBody: { query: valueLineParameter('Text', 'search', 1000).describe('Words of the name or content') },
      items: 'matches',
      example: { matches: [{ metadata: { '.tag': 'metadata', metadata: dropboxFileExample } }], has_more: false },
    },
    {
      id: 'folders.create',
      title: 'Create a folder',
      help: 'Also the folders above it.',
      limits: dropboxRateLimit,
      method: 'POST',
      path: '/files/create_folder_v2',
      inBody: { path: dropboxNewPath.describe('e.g. /invoices') },
      example: { metadata: { id: 'id:a4ayc_80_OEAAAAAAAAAXz', name: 'invoices', path_display: '/invoices' } },
    },
    {
      id: 'files.move',
      title: 'Move or rename a file',
      help: 'Also folders.',
      limits: dropboxRateLimit,
      method: 'POST',
      path: '/files/move_v2',
      inBody: {
        from: listedLineParameter('From', 'entries', [], 4000).describe('e.g. /a.pdf'),
        to: valueLineParameter('To', 'new name', 4000).describe('e.g. /b.pdf'),
      },
      names: { from: 'from_path', to: 'to_path' },
      example: { metadata: dropboxFileExample },
    },
    {
      id: 'files.delete',
      title: 'Delete a file',
      help: 'Also folders; they can be restored for 30 days.',
      limits: dropboxRateLimit,
      method: 'POST',
      path: '/files/delete_v2',
      inBody: { path: dropboxPath },
      example: { metadata: dropboxFileExample },
    },
    {
      id: 'links.create',
      title: 'Create a link',
      help: 'An address that opens the file; needs sharing.write.',
      limits: dropboxRateLimit,
      method: 'POST',
      path: '/sharing/create_shared_link_with_settings',
      inBody: { path: dropboxPath },
      example: { url: 'https://www.dropbox.com/scl/fi/abc/42.pdf?dl=0', name: '42.pdf' },
    },
  ],
};
