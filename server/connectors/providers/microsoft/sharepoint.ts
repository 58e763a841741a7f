import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { columnsParameter, listedLineParameter, someColumnsParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { createDriveItemOperations } from './drive-items';
import {
  encodePathPart,
  graphFilterParameter,
  graphODataNames,
  graphOrderParameter,
  graphPageSizeParameter,
  microsoftGraphPaging,
  quoteODataText,
  SHAREPOINT_RATE_LIMIT,
} from './graph-parts';

// https://learn.microsoft.com/graph/api/resources/sharepoint
const siteId = listedLineParameter('Site', 'sites', [], 1000).describe(
  'Id of the site, e.g. contoso.sharepoint.com,da60e844-ba1d-…; root',
);
const listId = listedLineParameter('List', 'lists', ['siteId'], 500).describe('Id or title of the list');
const LIST_FIELDS = ['siteId', 'listId'];
const listItemId = listedLineParameter('Item', 'listItems', LIST_FIELDS, 200).describe('Id of the item, e.g. 2');
const FIELDS_HINT = 'Internal name of a column and its value, e.g. Title';
const listItemFields = columnsParameter('Fields', 'listColumns', LIST_FIELDS).describe(FIELDS_HINT);
const changedItemFields = someColumnsParameter('Fields', 'listColumns', LIST_FIELDS).describe(FIELDS_HINT);
const shared = { limits: SHAREPOINT_RATE_LIMIT };

const siteExample = {
  id: 'contoso.sharepoint.com,da60e844-ba1d-49bc-b4d4-d5e36bae9019,712a596e-90a1-49e3-9b48-bfa80bee8740',
  displayName: 'Sales',
  webUrl: 'https://contoso.sharepoint.com/sites/sales',
};
const listExample = {
  id: '1234-112-112-4',
  name: 'Tickets',
  displayName: 'Tickets',
  list: { template: 'genericList' },
};
const listItemExample = {
  id: '2',
  createdDateTime: '2026-01-31T08:15:30Z',
  lastModifiedDateTime: '2026-02-02T10:00:00Z',
  webUrl: 'https://contoso.sharepoint.com/sites/sales/Lists/Tickets/2_.000',
  fields: { Title: 'Broken link', Priority: 'High' },
};
/** Conditions on columns without an index are answered, too; with very many items they may fail. */
const LIST_ITEM_HEADERS = { Prefer: 'HonorNonIndexedQueriesWarningMayFailRandomly' };

const listItemsPath = (site: string, list: string) =>
  `/sites/${encodePathPart(site)}/lists/${encodePathPart(list)}/items`;

/** A column in a condition. Throws NodeFailure CONFIG. */
function requireColumnName(name: string): string {
  if (/^\w+$/.test(name)) return name;
  throw new NodeFailure(
    'CONFIG',
    `parameters.key: "${name.slice(0, 100)}" is not the internal name of a column`,
    false,
  );
}

/** A value in a condition. Throws NodeFailure CONFIG. */
function toODataValue(column: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && value !== '') return quoteODataText(value);
  throw new NodeFailure('CONFIG', `The item has no value for "${column}", which identifies it.`, false);
}

const listItemsOperation: OperationDefinition = {
  ...shared,
  id: 'list_items.list',
  title: 'List the items of a list',
  help: 'With the values of their columns in fields.',
  method: 'GET',
  path: '/sites/{siteId}/lists/{listId}/items',
  inPath: { siteId, listId },
  inQuery: {
    filter: graphFilterParameter.describe("e.g. fields/Priority eq 'High'"),
    order: graphOrderParameter.describe('e.g. fields/Modified desc'),
    top: graphPageSizeParameter.describe('At most 999; default 200'),
  },
  names: graphODataNames,
  query: { $expand: 'fields' },
  headers: LIST_ITEM_HEADERS,
  items: 'value',
  paging: microsoftGraphPaging,
  example: { value: [listItemExample] },
  poll: {
    title: 'New item in a list',
    words: 'sharepoint trigger list item created added row',
    parameters: { top: 999, allPages: true },
    items: 'input.body',
    key: 'item.id',
  },
};

/** Operations with sites, lists and document libraries of SharePoint. */
export const sharepointOperations: OperationDefinition[] = [
  {
    ...shared,
    id: 'sites.search',
    title: 'Search sites',
    help: 'Sites that the account may open, with their ids.',
    method: 'GET',
    path: '/sites',
    inQuery: { text: valueLineParameter('Text', 'search').default('*').describe('A part of the name; * finds all') },
    names: { text: 'search' },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [siteExample] },
  },
  {
    ...shared,
    id: 'sites.get',
    title: 'Get a site',
    help: 'Its name and its address.',
    method: 'GET',
    path: '/sites/{siteId}',
    inPath: { siteId },
    example: siteExample,
  },
  {
    ...shared,
    id: 'libraries.list',
    title: 'List document libraries',
    help: 'Those of a site: the drives in which its files are.',
    method: 'GET',
    path: '/sites/{siteId}/drives',
    inPath: { siteId },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [{ id: 'b!0hX5rPKDeUiX9gAeiMcNrG', name: 'Documents', driveType: 'documentLibrary' }] },
  },
  ...createDriveItemOperations({
    files: 'documents',
    folders: 'library_folders',
    words: 'sharepoint document',
    path: '/drives/{driveId}',
    inPath: {
      driveId: listedLineParameter('Library', 'libraries', ['siteId'], 500).describe(
        'Id of the document library, or of any other drive',
      ),
    },
    unsent: { siteId: siteId.optional().describe('Only to pick the library') },
    sources: { files: 'documents', folders: 'libraryFolders', dependsOn: ['driveId'] },
  }),
  {
    ...shared,
    id: 'lists.list',
    title: 'List lists',
    help: 'Those of a site, with their ids.',
    method: 'GET',
    path: '/sites/{siteId}/lists',
    inPath: { siteId },
    inQuery: { top: graphPageSizeParameter },
    names: graphODataNames,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [listExample] },
  },
  {
    ...shared,
    id: 'lists.get',
    title: 'Get a list',
    help: 'With its columns.',
    method: 'GET',
    path: '/sites/{siteId}/lists/{listId}',
    inPath: { siteId, listId },
    query: { $expand: 'columns' },
    example: listExample,
  },
  {
    ...shared,
    id: 'lists.list_columns',
    title: 'List the columns of a list',
    help: 'Their names, as fields have them, with titles and kinds.',
    method: 'GET',
    path: '/sites/{siteId}/lists/{listId}/columns',
    inPath: { siteId, listId },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [{ id: '99ddcf45', name: 'Title', displayName: 'Title', required: true, text: {} }] },
  },
  listItemsOperation,
  {
    ...listItemsOperation,
    id: 'list_items.list_by_change',
    title: 'List the items of a list by their changes',
    help: 'With the values of their columns in fields, and with the time of the last change.',
    poll: {
      title: 'New or changed item in a list',
      words: 'sharepoint trigger list item updated modified changed row',
      parameters: { top: 999, allPages: true },
      items: 'input.body',
      key: "item.id & ' ' & item.lastModifiedDateTime",
    },
  },
  {
    ...shared,
    id: 'list_items.get',
    title: 'Get an item of a list',
    help: 'With the values of its columns in fields.',
    method: 'GET',
    path: '/sites/{siteId}/lists/{listId}/items/{itemId}',
    inPath: { siteId, listId, itemId: listItemId },
    query: { $expand: 'fields' },
    example: listItemExample,
  },
  {
    ...shared,
    id: 'list_items.create',
    title: 'Create an item in a list',
    help: 'With values for its columns.',
    method: 'POST',
    path: '/sites/{siteId}/lists/{listId}/items',
    inPath: { siteId, listId },
    inBody: { fields: listItemFields },
    example: listItemExample,
  },
  {
    ...shared,
    id: 'list_items.update',
    title: 'Update an item of a list',
    help: 'Changes the columns that are given.',
    method: 'PATCH',
    path: '/sites/{siteId}/lists/{listId}/items/{itemId}/fields',
    inPath: { siteId, listId, itemId: listItemId },
    inBody: { fields: changedItemFields },
    wholeBody: 'fields',
    example: listItemExample.fields,
  },
  defineSteppedOperation({
    ...shared,
    id: 'list_items.upsert',
    title: 'Create or update an item of a list',
    help: 'Updates the first item with the same value in the key column, or creates one.',
    parameters: {
      siteId,
      listId,
      key: listedLineParameter('Key column', 'listColumns', LIST_FIELDS, 200).describe(
        'Internal name of the column whose value identifies the item',
      ),
      fields: listItemFields,
    },
    *steps({ siteId: site, listId: list, key, fields }) {
      const path = listItemsPath(site, list);
      const filter = `fields/${requireColumnName(key)} eq ${toODataValue(key, fields[key])}`;
      const { body } = yield { path, query: { $filter: filter, $top: 1 }, headers: LIST_ITEM_HEADERS };
      const id = getAtPath(((getAtPath(body, 'value') ?? []) as unknown[])[0], 'id');
      if (typeof id !== 'string') return (yield { method: 'POST', path, body: { as: 'json', value: { fields } } }).body;
      const itemPath = `${path}/${encodePathPart(id)}/fields`;
      return { id, fields: (yield { method: 'PATCH', path: itemPath, body: { as: 'json', value: fields } }).body };
    },
    example: listItemExample,
  }),
  {
    ...shared,
    id: 'list_items.delete',
    title: 'Delete an item of a list',
    help: 'It goes to the recycle bin.',
    method: 'DELETE',
    path: '/sites/{siteId}/lists/{listId}/items/{itemId}',
    inPath: { siteId, listId, itemId: listItemId },
    example: null,
  },
];
