import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { copyValue, getField, assignField, unsetField } from './paths';
import { readParameterRows } from './typed-parameters';

type Fields = Record<string, unknown>;

const KEY_DEFAULTS = { currentKey: '', newKey: '' };
const PATTERN_DEFAULTS = {
  searchRegex: '',
  replaceRegex: '',
  options: {} as { depth?: number; caseInsensitive?: boolean },
};

/** Renames the keys of an object, and of those inside of it down to a depth; -1: all. */
function renameMatchingKeys(value: unknown, pattern: RegExp, replacement: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  const owner = value as Fields;
  for (const name of Object.keys(owner)) {
    if (depth !== 0) renameMatchingKeys(owner[name], pattern, replacement, depth - 1);
    if (Array.isArray(value) || !pattern.test(name)) continue;
    const renamed = name.replace(pattern, replacement);
    if (renamed === name) continue;
    owner[renamed] = owner[name];
    delete owner[name];
  }
}

/** The item that the node `renameKeys` makes of an item. */
export function renameItemKeys(parameters: N8nParameters, item: N8nItem): N8nItem {
  const json = copyValue(item.json);
  for (const { currentKey, newKey } of readParameterRows(parameters, 'keys.key', KEY_DEFAULTS)) {
    if (currentKey === '' || newKey === '' || currentKey === newKey) continue;
    const value = getField(item.json, currentKey);
    if (value === undefined) continue;
    assignField(json, newKey, value);
    unsetField(json, currentKey);
  }
  const rows = readParameterRows(parameters, 'additionalOptions.regexReplacement.replacements', PATTERN_DEFAULTS);
  for (const { searchRegex, replaceRegex, options } of rows) {
    const pattern = new RegExp(searchRegex, options.caseInsensitive ? 'i' : '');
    renameMatchingKeys(json, pattern, replaceRegex, options.depth ?? -1);
  }
  return { json, binary: item.binary };
}
