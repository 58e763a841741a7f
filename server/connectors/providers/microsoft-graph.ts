import { DNS_LABEL_PATTERN, type ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { countParameter, lineParameter, jsonObjectParameter } from '../parameters';

// https://learn.microsoft.com/graph/paging
const microsoftGraphPaging: ConnectorPaging = { kind: 'address', at: '@odata.nextLink' };
const graphListParameters = {
  filter: lineParameter('Filter', 4000).optional(),
  top: countParameter('Items a page', 999).optional(),
};
const graphODataNames = { filter: '$filter', top: '$top' };

export const microsoftGraphConnector: ConnectorDefinition = {
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
      pattern: DNS_LABEL_PATTERN,
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
      inQuery: graphListParameters,
      names: graphODataNames,
      items: 'value',
      paging: microsoftGraphPaging,
    },
    {
      id: 'files.list',
      title: 'List files of a folder',
      method: 'GET',
      path: '/me/drive/items/{folderId}/children',
      inPath: { folderId: lineParameter('Folder id, or root') },
      inQuery: { top: graphListParameters.top },
      names: graphODataNames,
      items: 'value',
      paging: microsoftGraphPaging,
    },
    {
      id: 'files.get',
      title: 'Get a file’s facts',
      method: 'GET',
      path: '/me/drive/items/{fileId}',
      inPath: { fileId: lineParameter('File id') },
    },
    {
      id: 'files.search',
      title: 'Search files',
      method: 'GET',
      path: "/me/drive/root/search(q='{text}')",
      inPath: { text: lineParameter('Text') },
      items: 'value',
      paging: microsoftGraphPaging,
    },
    {
      id: 'folders.create',
      title: 'Create a folder',
      method: 'POST',
      path: '/me/drive/items/{parentId}/children',
      inPath: { parentId: lineParameter('Parent folder id, or root') },
      inBody: { name: lineParameter('Name', 255), folder: jsonObjectParameter('Folder facet').default({}) },
    },
    {
      id: 'files.update',
      title: 'Rename a file',
      method: 'PATCH',
      path: '/me/drive/items/{fileId}',
      inPath: { fileId: lineParameter('File id') },
      inBody: { name: lineParameter('New name', 255) },
    },
    {
      id: 'messages.list',
      title: 'List mails',
      method: 'GET',
      path: '/me/messages',
      inQuery: graphListParameters,
      names: graphODataNames,
      items: 'value',
      paging: microsoftGraphPaging,
    },
    {
      id: 'messages.send',
      title: 'Send a mail',
      method: 'POST',
      path: '/me/sendMail',
      inBody: { message: jsonObjectParameter('Message: subject, body, toRecipients') },
    },
  ],
};
