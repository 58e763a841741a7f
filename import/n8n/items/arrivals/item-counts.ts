import { asN8nObject, type N8nNode } from '../../file';
import { readRequestOptions } from '../../nodes/http-options';
import { shortNodeType } from '../../starts/convert-trigger';
import { returnsOneItem } from './code-returns';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Triggers whose runs begin with one item. Those that ask a service may bring several. */
const ONE_ITEM_TRIGGERS = words(
  'webhook mcpTrigger manualTrigger start scheduleTrigger cron interval formTrigger chatTrigger errorTrigger telegramTrigger ' +
    'slackTrigger stripeTrigger typeformTrigger calendlyTrigger githubTrigger gitlabTrigger',
);
export const startsWithOneItem = ({ type }: N8nNode): boolean => ONE_ITEM_TRIGGERS.has(shortNodeType(type));

/** Types that give at most one item for each. */
const ITEM_BY_ITEM_TYPES = words(
  'agent chainLlm chainSummarization informationExtractor textClassifier sentimentAnalysis anthropic googleGemini if ' +
    'switch filter noOp wait dateTime crypto renameKeys markdown executionData stopAndError respondToWebhook sort ' +
    'removeDuplicates limit emailSend functionItem editImage',
);
/** Operations of services that give one item for each. */
const ITEM_BY_ITEM_OPERATIONS = words(
  'append appendOrUpdate copy create delete download get move post reply send sendMessage share update upload',
);
/** Types whose operations of these names work on any number of rows. */
const ROW_TYPES = words('dataTable googleAnalytics googleBigQuery microsoftSql mongoDb mySql postgres supabase');

function worksItemByItem(node: N8nNode): boolean {
  const short = shortNodeType(node.type);
  const { operation, mode, duplicateItem } = node.parameters;
  switch (short) {
    case 'set':
      return duplicateItem !== true;
    case 'code':
      return mode === 'runOnceForEachItem';
    case 'html':
      return operation !== 'extractHtmlContent';
    case 'httpRequest': {
      const { response: answer, pagination } = readRequestOptions(node);
      const response = asN8nObject(asN8nObject(answer)['response']);
      if (pagination !== undefined) return false;
      return response['fullResponse'] === true || ['file', 'text'].includes(String(response['responseFormat']));
    }
    case 'telegram':
      return operation !== 'administrators';
    default:
      return ITEM_BY_ITEM_TYPES.has(short) || (ITEM_BY_ITEM_OPERATIONS.has(String(operation)) && !ROW_TYPES.has(short));
  }
}

/** Whether a node gives at most one item in a run that brings it one, or any number. */
export function givesOneItem(node: N8nNode, bringsOne: boolean): boolean {
  const { type, parameters, executesOnce, isDisabled } = node;
  // It passes on what comes in.
  if (isDisabled) return bringsOne;
  const short = shortNodeType(type);
  const isWholeCode = short === 'function' || (short === 'code' && parameters['mode'] !== 'runOnceForEachItem');
  if (isWholeCode && returnsOneItem(parameters['jsCode'] ?? parameters['functionCode'])) return true;
  if (short === 'aggregate' || (short === 'limit' && Number(parameters['maxItems'] ?? 1) === 1)) return true;
  return (bringsOne || executesOnce) && worksItemByItem(node);
}

/** Types that give at least one item for each. */
const GIVING_TYPES = words(
  'set noOp wait dateTime crypto renameKeys markdown executionData if aggregate agent chainLlm',
);

/** Whether a node gives an item in each of its runs, by one of its outputs. */
export function givesSomeItem({ type, version, isDisabled, alwaysOutputsData }: N8nNode): boolean {
  const short = shortNodeType(type);
  // The first version leaves out items without a date.
  const leavesOut = short === 'dateTime' && version < 2;
  return isDisabled || alwaysOutputsData || (GIVING_TYPES.has(short) && !leavesOut);
}

/** Whether one item leaves a node by one of its outputs at most. */
export function choosesOneOutput({ type, parameters, onError }: N8nNode): boolean {
  const options = asN8nObject(parameters['options']);
  switch (shortNodeType(type)) {
    case 'if':
    case 'sentimentAnalysis':
      return true;
    case 'switch':
      return options['allMatchingOutputs'] !== true;
    case 'textClassifier':
      return options['multiClass'] !== true;
    default:
      return onError === 'output';
  }
}

/** Types whose result depends on which items come together. */
const WHOLE_LIST_TYPES = words(
  'aggregate compareDatasets convertToFile function itemLists limit merge removeDuplicates sort splitInBatches ' +
    'spreadsheetFile summarize',
);
/** What an expression reads that depends on the whole list of a node, or on the run of it. */
const READS_LIST = /\$input\.(?:all|first|last)\b|\$items\b|\$itemIndex\b|\$runIndex\b|\$prevNode\b/;

/** Whether what a node gives depends on which items come together in one run of it. */
export function dependsOnWholeList({ type, parameters, executesOnce, alwaysOutputsData }: N8nNode): boolean {
  const short = shortNodeType(type);
  return (
    executesOnce ||
    alwaysOutputsData ||
    WHOLE_LIST_TYPES.has(short) ||
    (short === 'code' && parameters['mode'] !== 'runOnceForEachItem') ||
    (short === 'executeWorkflow' && parameters['mode'] !== 'each') ||
    (short === 'html' && parameters['operation'] === 'convertToHtmlTable') ||
    READS_LIST.test(JSON.stringify(parameters))
  );
}

/** Whether the expressions of a node read more of other nodes than the item that belongs to the present one. */
export const readsWholeLists = ({ parameters }: N8nNode): boolean =>
  /\.(?:first|last|all)\(|\$items\b|\$node\b/.test(JSON.stringify(parameters));

/** What expressions read of another node that belongs to the present item. */
export const READS_PAIRED_ITEM = /\.(?:item|itemMatching|pairedItem)\b/;
