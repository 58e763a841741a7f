import type { N8nItem } from '../items';
import type { N8nItemScope } from '../item-scope';
import type { N8nParameters } from '../parameters';
import { aggregateList } from './aggregate';
import { listAnswerItems, listHttpItems, writeBodyFields } from './answers';
import { addDigest } from './crypto';
import { writeCsvText } from './csv-text';
import { addMarkdown, readHtmlFields } from './documents';
import { readTableFilter, readTableRow } from './data-table';
import { computeItemDate } from './date-time';
import { isFilterMet, isIfMet, switchOutputs } from './branches';
import { compareLists } from './compare-datasets';
import {
  addFileValue,
  listTableRows,
  moveFieldsToFile,
  moveFileToFields,
  readFieldText,
  wrapFile,
  writeMovedText,
} from './files';
import { listFeedItems } from './feed';
import { makeFormItem, readFormFields } from './form';
import { fillHtmlTemplate, writeItemTable } from './html';
import { applyItemLists } from './item-lists';
import { mergeLists } from './merge';
import { removeDuplicateItems } from './remove-duplicates';
import { renameItemKeys } from './rename-keys';
import { setFields } from './set';
import { limitList, sortList } from './sort';
import { splitOutItem } from './split-out';
import { summarizeList } from './summarize';
import { readTypedParameter } from './typed-parameters';
import { convertItemXml } from './xml';

/** Nodes that make items from one item. */
export const ITEM_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: N8nParameters, scope: N8nItemScope) => N8nItem | N8nItem[]>
> = {
  set: (version, parameters, { item, index }) => setFields(version, parameters, item, index),
  answerItems: (_, parameters) => listAnswerItems(parameters),
  httpItems: (version, parameters) => listHttpItems(version, parameters),
  crypto: (_, parameters, { item }) => addDigest(parameters, item),
  dateTime: (version, parameters, { item }) => computeItemDate(version, parameters, item),
  feedItems: (_, parameters) => listFeedItems(parameters),
  fileValue: (_, parameters) => addFileValue(parameters),
  fileRows: (_, parameters) => listTableRows(parameters),
  file: (_, parameters) => wrapFile(parameters),
  fieldsOfFile: (_, parameters) => moveFileToFields(parameters),
  fileOfFields: (_, parameters) => moveFieldsToFile(parameters),
  formItem: (_, parameters) => makeFormItem(parameters),
  htmlFields: readHtmlFields,
  htmlTemplate: (_, parameters) => fillHtmlTemplate(parameters),
  markdown: (_, parameters) => addMarkdown(parameters),
  renameKeys: (_, parameters, { item }) => renameItemKeys(parameters, item),
  splitOut: (_, parameters, { item }) => splitOutItem(parameters, item),
  workflowInputs: (_, parameters) => ({ json: readTypedParameter(parameters, 'workflowInputs.value', {}) }),
  xml: (_, parameters, { item }) => convertItemXml(parameters, item),
};

/** Nodes that decide by which output an item goes on, and what other configs read of an item. */
export const TEST_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: N8nParameters, scope: N8nItemScope) => unknown>
> = {
  bodyFields: (_, parameters) => writeBodyFields(parameters),
  tableFilter: (_, parameters) => readTableFilter(parameters),
  tableRow: (_, parameters, { item }) => readTableRow(parameters, item),
  csvText: (_, parameters, { items }) => writeCsvText(parameters, items),
  // The text that becomes a file is no decision, but a value, too.
  fieldText: (_, parameters, { item }) => readFieldText(parameters, item),
  movedText: (_, parameters, { item }) => writeMovedText(parameters, item),
  // The fields of a page, before it is shown.
  formFields: readFormFields,
  if: isIfMet,
  filter: isFilterMet,
  switch: switchOutputs,
};

/** Nodes that work on a whole list. */
export const LIST_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: N8nParameters, items: N8nItem[]) => N8nItem[]>
> = {
  aggregate: (_, parameters, items) => aggregateList(parameters, items),
  htmlTable: (_, parameters, items) => writeItemTable(parameters, items),
  itemLists: applyItemLists,
  limit: (_, parameters, items) => limitList(parameters, items),
  removeDuplicates: removeDuplicateItems,
  sort: (_, parameters, items) => sortList(parameters, items),
  summarize: summarizeList,
};

/** Nodes that work on the lists of several inputs. */
export const MERGE_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: N8nParameters, lists: N8nItem[][]) => N8nItem[]>
> = {
  merge: mergeLists,
  // The last list with items; those of the inputs in `ended` tell that a node ran and gave nothing.
  lastResult: (_, { ended }, lists) => {
    const last = lists.findLastIndex((list) => list.length > 0);
    return Array.isArray(ended) && ended.includes(last) ? [] : (lists[last] ?? []);
  },
  // The port is a parameter that the import adds.
  compareDatasets: (version, parameters, lists) =>
    compareLists(version, parameters, lists)[Number(parameters['port'])] ?? [],
};
