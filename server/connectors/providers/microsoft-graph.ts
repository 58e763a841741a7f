import { label, type Connector } from '../connector';
import type { Paging } from '../operation';
import { count, word, fields } from '../parameters';

// https://learn.microsoft.com/graph/paging
const paging: Paging = { kind: 'address', at: '@odata.nextLink' };
const list = { filter: word('Filter', 4000).optional(), top: count('Items a page', 999).optional() };
const names = { filter: '$filter', top: '$top' };

export const microsoftGraph: Connector = {
  id: 'microsoft_graph',
  name: 'Microsoft Graph',
  description: 'People, files and mail of Microsoft 365.',
  synonyms: ['outlook', 'onedrive', 'office 365', 'microsoft 365', 'teams', 'sharepoint'],
  flow: 'authorization_code',
  // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
  authorizeUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
  // https://learn.microsoft.com/entra/identity-platform/refresh-tokens: a new refresh token at every use, 90 days; the
  // used one isn't revoked.
  tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
  apiUrl: 'https://graph.microsoft.com/v1.0',
  // https://learn.microsoft.com/graph/permissions-reference
  scopes: { 'User.Read': 'User.Read', 'Files.Read': 'Files.Read' },
  optionalScopes: {
    'User.ReadBasic.All': 'User.ReadBasic.All',
    'Files.ReadWrite': 'Files.ReadWrite',
    'Mail.Read': 'Mail.Read',
    'Mail.ReadWrite': 'Mail.ReadWrite',
    'Mail.Send': 'Mail.Send',
  },
  impliedScopes: 'offline_access',
  parameters: [
    {
      name: 'tenant',
      title: 'Tenant',
      hint: 'the id of your directory; empty: any',
      required: false,
      pattern: label,
      rule: 'must be the bare id of a directory, without dots',
      fallback: 'common',
    },
  ],
  clientAuthentication: 'form',
  setup:
    'In Microsoft Entra register an app with the redirect URL (type Web), add the delegated permissions and make a client secret.',
  probe: { path: '/me' },
  operations: [
    { id: 'me.get', title: 'Get the own profile', method: 'GET', path: '/me' },
    {
      id: 'users.list',
      title: 'List people',
      method: 'GET',
      path: '/users',
      inQuery: list,
      names,
      items: 'value',
      paging,
    },
    {
      id: 'files.list',
      title: 'List files of a folder',
      method: 'GET',
      path: '/me/drive/items/{folderId}/children',
      inPath: { folderId: word('Folder id, or root') },
      inQuery: { top: list.top },
      names,
      items: 'value',
      paging,
    },
    {
      id: 'files.get',
      title: 'Get a file’s facts',
      method: 'GET',
      path: '/me/drive/items/{fileId}',
      inPath: { fileId: word('File id') },
    },
    {
      id: 'files.search',
      title: 'Search files',
      method: 'GET',
      path: "/me/drive/root/search(q='{text}')",
      inPath: { text: word('Text') },
      items: 'value',
      paging,
    },
    {
      id: 'folders.create',
      title: 'Create a folder',
      method: 'POST',
      path: '/me/drive/items/{parentId}/children',
      inPath: { parentId: word('Parent folder id, or root') },
      inBody: { name: word('Name', 255), folder: fields('Folder facet').default({}) },
    },
    {
      id: 'files.update',
      title: 'Rename a file',
      method: 'PATCH',
      path: '/me/drive/items/{fileId}',
      inPath: { fileId: word('File id') },
      inBody: { name: word('New name', 255) },
    },
    {
      id: 'messages.list',
      title: 'List mails',
      method: 'GET',
      path: '/me/messages',
      inQuery: list,
      names,
      items: 'value',
      paging,
    },
    {
      id: 'messages.send',
      title: 'Send a mail',
      method: 'POST',
      path: '/me/sendMail',
      inBody: { message: fields('Message: subject, body, toRecipients') },
    },
  ],
};
