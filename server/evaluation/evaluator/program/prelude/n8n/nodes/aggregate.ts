import type { N8nItem } from '../items';
import type { N8nParameters } from '../parameters';
import { getField, listNames, assignField } from './paths';
import { readParameterRows, readTypedParameter } from './typed-parameters';

type Fields = Record<string, unknown>;

const FIELD_DEFAULTS = { fieldToAggregate: '', renameField: false, outputFieldName: '' };

interface CollectRules {
  hasDots: boolean;
  mergesLists: boolean;
  keepsMissing: boolean;
}

/** The values of a field in all items. */
function collectValues(items: readonly N8nItem[], name: string, rules: CollectRules): unknown[] {
  return items.flatMap(({ json }) => {
    const given = getField(json, name, rules.hasDots);
    if (!rules.keepsMissing && (given === null || given === undefined)) return [];
    const value =
      Array.isArray(given) && !rules.keepsMissing ? (given as unknown[]).filter((one) => one !== null) : given;
    return Array.isArray(value) && rules.mergesLists ? (value as unknown[]) : [value];
  });
}

function aggregateFields(parameters: N8nParameters, items: readonly N8nItem[]): Fields {
  const rules: CollectRules = {
    hasDots: !readTypedParameter(parameters, 'options.disableDotNotation', false),
    mergesLists: readTypedParameter(parameters, 'options.mergeLists', false),
    keepsMissing: readTypedParameter(parameters, 'options.keepMissing', false),
  };
  const fields = readParameterRows(parameters, 'fieldsToAggregate.fieldToAggregate', FIELD_DEFAULTS, [{}]);
  if (fields.length === 0) throw new Error('No fields specified');
  const named = new Set<string>();
  const made: Fields = {};
  for (const { fieldToAggregate: name, renameField, outputFieldName } of fields) {
    const own = renameField ? outputFieldName : name;
    if (named.has(own)) throw new Error(`The '${own}' output field is used more than once`);
    named.add(own);
    const last = rules.hasDots ? (name.split('.').at(-1) ?? name) : name;
    const target = renameField && outputFieldName ? outputFieldName : last;
    if (name !== '') assignField(made, target, collectValues(items, name, rules), rules.hasDots);
  }
  return made;
}

function aggregateItems(parameters: N8nParameters, items: readonly N8nItem[]): Fields {
  const include = readTypedParameter(parameters, 'include', 'allFields');
  const names = (parameter: string) => listNames(readTypedParameter<unknown>(parameters, parameter, ''));
  const excluded = include === 'allFieldsExcept' ? names('fieldsToExclude') : [];
  const included = include === 'specifiedFields' ? names('fieldsToInclude') : [];
  const isKept = (name: string) => !excluded.includes(name) && (included.length === 0 || included.includes(name));
  const all = items.map(({ json }) => Object.fromEntries(Object.entries(json).filter(([name]) => isKept(name))));
  const isReduced = excluded.length > 0 || included.length > 0;
  return {
    [readTypedParameter(parameters, 'destinationFieldName', 'data')]: isReduced
      ? all.filter((json) => Object.keys(json).length > 0)
      : all,
  };
}

type FileFacts = Record<'name' | 'contentType' | 'size', unknown>;

/** The files of all items, with numbers behind names that occur again. */
function collectFiles(items: readonly N8nItem[], isUnique: boolean): Fields | undefined {
  const files: Fields = {};
  const known = new Set<string>();
  for (const { binary } of items)
    for (const [name, file] of Object.entries(binary ?? {})) {
      const { contentType, size, name: own } = file as FileFacts;
      const facts = JSON.stringify([contentType, size, String(own).split('.').at(-1)]);
      if (isUnique && known.has(facts)) continue;
      known.add(facts);
      let free = name;
      for (let count = 1; Object.hasOwn(files, free); count += 1) free = `${name}_${count}`;
      files[free] = file;
    }
  return Object.keys(files).length > 0 ? files : undefined;
}

/** The one item that the node `aggregate` makes of a list. */
export function aggregateList(parameters: N8nParameters, items: N8nItem[]): N8nItem[] {
  const isFields = readTypedParameter(parameters, 'aggregate', 'aggregateIndividualFields') !== 'aggregateAllItemData';
  const json = isFields ? aggregateFields(parameters, items) : aggregateItems(parameters, items);
  const keepsFiles = readTypedParameter(parameters, 'options.includeBinaries', false);
  const isUnique = readTypedParameter(parameters, 'options.keepOnlyUnique', false);
  return [{ json, binary: keepsFiles ? collectFiles(items, isUnique) : undefined }];
}
