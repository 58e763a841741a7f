import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { copyValue, getField } from './paths';
import { readTypedParameter } from './typed-parameters';

function mergeByIndex(parameters: N8nParameters, first: N8nItem[], second: N8nItem[]): N8nItem[] {
  const join = readTypedParameter(parameters, 'join', 'left');
  if (first.length === 0) return join === 'outer' ? second : [];
  if (second.length === 0) return join === 'inner' ? [] : first;
  const lengths = [first.length, second.length];
  const count = join === 'inner' ? Math.min(...lengths) : join === 'outer' ? Math.max(...lengths) : first.length;
  return Array.from({ length: count }, (_, index) => {
    const [one, other] = [first[index], second[index]];
    if (!one || !other) return one ?? other ?? { json: {} };
    return { json: { ...one.json, ...other.json }, binary: { ...one.binary, ...other.binary } };
  });
}

/** The value of a key as a text; undefined: it is none that n8n compares. */
function keyText(value: unknown): string | undefined {
  if (value === null) return 'null';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function overwriteFields(one: N8nItem, other: N8nItem, keyName: string, overwrite: string): N8nItem {
  const json = copyValue(one.json);
  for (const [name, value] of Object.entries(other.json)) {
    if (name === keyName) continue;
    const found = json[name];
    const isBlank = found === null || found === undefined || found === '';
    const isFree = overwrite === 'undefined' ? !Object.hasOwn(json, name) : isBlank;
    if (overwrite === 'always' || isFree) json[name] = value;
  }
  return { ...one, json };
}

function mergeByKey(mode: string, parameters: N8nParameters, first: N8nItem[], second: N8nItem[]): N8nItem[] {
  const keyName1 = readTypedParameter(parameters, 'propertyName1', '');
  const keyName2 = readTypedParameter(parameters, 'propertyName2', '');
  const overwrite = readTypedParameter(parameters, 'overwrite', 'always');
  if (keyName1 === '' || keyName2 === '') return mode === 'keepKeyMatches' ? [] : first;
  const others = new Map<string, N8nItem>();
  for (const item of second) {
    const key = getField(item.json, keyName2);
    if (key) others.set(String(key), item);
  }
  return first.flatMap((item) => {
    const key = keyText(getField(item.json, keyName1));
    const other = key === undefined ? undefined : others.get(key);
    if (mode === 'removeKeyMatches') return other ? [] : [item];
    if (key === undefined) return [];
    if (mode === 'keepKeyMatches') return other ? [item] : [];
    return [other ? overwriteFields(item, other, keyName2, overwrite) : item];
  });
}

/** The list that the first version of the node `merge` makes of the lists of its inputs. */
export function mergeFormerly(parameters: N8nParameters, lists: N8nItem[][]): N8nItem[] {
  const [first = [], second = []] = lists;
  const mode = readTypedParameter(parameters, 'mode', 'append');
  if (mode === 'append') return [...first, ...second];
  if (mode === 'mergeByIndex') return mergeByIndex(parameters, first, second);
  if (mode === 'multiplex')
    return first.flatMap((one) => second.map((other) => ({ json: { ...one.json, ...other.json } })));
  if (mode === 'passThrough') return readTypedParameter(parameters, 'output', 'input1') === 'input1' ? first : second;
  if (mode === 'wait') return [{ json: {} }];
  return mergeByKey(mode, parameters, first, second);
}
