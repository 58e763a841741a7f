/** Methods that n8n adds to values, by name. A call of one is a call of the prelude, which knows the value's own method. */
export const EXTENSION_METHODS: ReadonlySet<string> = new Set(
  [
    // Texts.
    'extractDomain extractEmail extractUrl extractUrlPath hash removeMarkdown removeTags replaceSpecialChars quote',
    'toBoolean toDate toDateTime toFloat toInt toNumber toSentenceCase toSnakeCase toTitleCase urlDecode urlEncode',
    'isDomain isEmail isEmpty isNotEmpty isNumeric isUrl parseJson base64Encode base64Decode length',
    'toDecimalNumber toWholeNumber',
    // Numbers.
    'abs ceil floor round format isEven isInteger isOdd',
    // Lists.
    'append average chunk compact difference first intersection last max merge mergeIntoObject min pluck randomItem',
    'removeDuplicates unique renameKeys reverse smartJoin sum toJsonString union',
    // Objects.
    'hasField keepFieldsContaining keys removeField removeFieldsContaining values',
    // Dates.
    'beginningOf endOfMonth extract isBetween isDst isInLast isWeekend minus plus diffTo diffToNow',
  ].flatMap((line) => line.split(' ')),
);

const ITEM_NAMES = ['item', 'input', 'index'];
const LIST_NAMES = [...ITEM_NAMES, 'items'];
const NODE_NAMES = ['nodes', 'paired', 'index', 'input', 'item'];

/** What the names of n8n read of the scope of Weft. */
export const PRELUDE_REFERENCES: Readonly<Record<string, readonly string[]>> = {
  $json: ITEM_NAMES,
  $data: ITEM_NAMES,
  $binary: ITEM_NAMES,
  $itemIndex: ['index'],
  $position: ['index'],
  $input: LIST_NAMES,
  $item: [...LIST_NAMES, ...NODE_NAMES],
  $items: [...LIST_NAMES, ...NODE_NAMES],
  $: NODE_NAMES,
  $node: NODE_NAMES,
  n8n: [...ITEM_NAMES, 'paired'],
  $vars: ['vars'],
  $env: ['vars'],
  $execution: ['execution'],
  $fromAI: ['input'],
  $fromAi: ['input'],
  $fromai: ['input'],
};
