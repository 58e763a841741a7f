/** The data of an item: what n8n calls its JSON. */
export type ItemData = Record<string, unknown>;

/** An item of n8n. `pairedItem`: the index of the item that it was made from. */
export interface N8nItem {
  json: ItemData;
  binary?: ItemData | undefined;
  pairedItem?: number | undefined;
}

/** The field of a value that has the files of its item. */
const FILES_FIELD = '$files';

const isData = (value: unknown): value is ItemData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SIZE_UNITS = ['B', 'kB', 'MB', 'GB'];

/** A size with three digits at most, such as `1.23 MB`. */
function writeFileSize(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), SIZE_UNITS.length - 1);
  const amount = unit === 0 ? bytes : Number((bytes / 1000 ** unit).toPrecision(3));
  return `${amount} ${SIZE_UNITS[unit]}`;
}

/** What n8n says of a file, made of what Weft says. */
const FILE_FACTS: Readonly<Record<string, (file: ItemData) => unknown>> = {
  fileName: ({ name }) => name,
  mimeType: ({ contentType }) => contentType,
  fileExtension: ({ name }) => /\.([^.]+)$/.exec(String(name ?? ''))?.[1],
  fileType: ({ contentType }) => FILE_TYPES.find(([pattern]) => pattern.test(String(contentType)))?.[1],
  bytes: ({ size }) => size,
  fileSize: ({ size }) => (typeof size === 'number' ? writeFileSize(size) : undefined),
};
const FILE_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^application\/json/, 'json'],
  [/^text\/html/, 'html'],
  [/^image\//, 'image'],
  [/^audio\//, 'audio'],
  [/^video\//, 'video'],
  [/^(?:text\/|application\/(?:x?html|xml|javascript))/, 'text'],
  [/^application\/pdf/, 'pdf'],
];

/** Gives files the names of n8n, too. They are not enumerable: what is written stays a file of Weft. */
function nameFileFacts(files: ItemData): ItemData {
  for (const file of Object.values(files)) {
    if (!isData(file)) continue;
    for (const [name, read] of Object.entries(FILE_FACTS))
      if (!(name in file)) Object.defineProperty(file, name, { get: () => read(file), configurable: true });
  }
  return files;
}

/** The value of a node of Weft as an item of n8n. */
export function readItem(value: unknown): N8nItem {
  if (!isData(value)) return { json: value as ItemData };
  const { [FILES_FIELD]: binary, ...json } = value;
  return isData(binary) ? { json, binary: nameFileFacts(binary) } : { json: value };
}

/** The output of a node of Weft as items of n8n. */
export const readItems = (value: unknown): N8nItem[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value.map(readItem) : [readItem(value)];

/** An item of n8n as a value of Weft. */
export function writeItem({ json, binary }: N8nItem): unknown {
  const hasFiles = isData(binary) && Object.keys(binary).length > 0;
  return hasFiles ? { ...json, [FILES_FIELD]: binary } : json;
}

/** Where the items of an output came from, by the rules of n8n for nodes that do not say it. */
function findOrigin({ pairedItem }: N8nItem, index: number, outputs: number, inputs: number): number | null {
  if (typeof pairedItem === 'number') return pairedItem;
  if (inputs === 1) return 0;
  return outputs === inputs ? index : null;
}

/** The output of a node that worked on a whole list: values, and the indexes of the items that each came from. */
export const writeItemList = (
  items: N8nItem[],
  inputs: number,
): { $items: unknown[]; $origins: (number | null)[] } => ({
  $items: items.map(writeItem),
  $origins: items.map((item, index) => findOrigin(item, index, items.length, inputs)),
});

/** What code returned, as items: one object or a list, with or without the field `json`. Undefined: it is neither. */
export function readReturnedItems(value: unknown): N8nItem[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  const items = list.filter((one) => one !== undefined && one !== null);
  return items.every(isData) ? items.map(readReturnedItem) : undefined;
}

function readReturnedItem(given: ItemData): N8nItem {
  const { json, binary, pairedItem } = given;
  if (!isData(json)) return { json: given };
  const paired = isData(pairedItem) ? pairedItem['item'] : pairedItem;
  return {
    json,
    binary: isData(binary) ? binary : undefined,
    pairedItem: typeof paired === 'number' ? paired : undefined,
  };
}
