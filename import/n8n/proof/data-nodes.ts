import { shortNodeType } from '../starts/convert-trigger';

/** Nodes of n8n that compute with what they are given: they run in a proof. All others are answered from the record. */
const DATA_NODE_TYPES = new Set(
  (
    'set if filter switch merge code function functionItem splitOut aggregate summarize sort limit removeDuplicates itemLists ' +
    'compareDatasets renameKeys dateTime crypto html htmlExtract xml markdown extractFromFile convertToFile moveBinaryData ' +
    'spreadsheetFile splitInBatches wait stopAndError respondToWebhook noOp stickyNote'
  ).split(' '),
);

/** Whether a node of n8n computes with what it is given, without anything outside. */
export const isDataNode = (type: string): boolean =>
  type.startsWith('n8n-nodes-base.') && DATA_NODE_TYPES.has(shortNodeType(type));
