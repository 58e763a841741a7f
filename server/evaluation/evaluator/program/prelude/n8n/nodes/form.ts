import type { ItemData, N8nItem } from '../items';
import { readParameter, type N8nParameters } from '../parameters';
import { joinJsonParts } from './set';

const isData = (value: unknown): value is ItemData =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kinds of fields of a form of Weft, by the types of n8n. */
const FIELD_KINDS: Readonly<Record<string, string>> = {
  text: 'text',
  textarea: 'textarea',
  email: 'email',
  number: 'number',
  date: 'date',
  dropdown: 'select',
  radio: 'select',
  checkbox: 'multiselect',
  file: 'file',
  password: 'text',
};

const MAX_LABEL = 200;
const MAX_OPTIONS = 200;

/** A field that n8n has in its item. `name`: that of the field of Weft with its value; absent: `value` has it. */
interface AskedField {
  label: string;
  type: string;
  name?: string;
  value?: unknown;
  /** Of a field for files: n8n gives a list. */
  takesSeveral?: true;
}

/** The fields of a page that are written one by one, or as JSON. */
function readGivenFields(parameters: N8nParameters): ItemData[] {
  if (readParameter(parameters, 'defineForm') !== 'json')
    return [readParameter(parameters, 'formFields.values', [])].flat().filter(isData);
  const given = joinJsonParts(readParameter(parameters, 'jsonOutput', []));
  const fields: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  if (!Array.isArray(fields)) throw new Error('The JSON of the fields is not a list');
  return fields.filter(isData);
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

function readOptions({ fieldOptions }: ItemData): string[] {
  const values: unknown = isData(fieldOptions) ? fieldOptions['values'] : fieldOptions;
  const options = (Array.isArray(values) ? values : []).flatMap((one: unknown) =>
    isData(one) && text(one['option']).trim() !== '' ? [text(one['option']).slice(0, MAX_LABEL)] : [],
  );
  return [...new Set(options)].slice(0, MAX_OPTIONS);
}

/** The field of Weft for a field of n8n. */
function toFormField(field: ItemData, label: string, name: string): ItemData {
  const options = readOptions(field);
  const wanted = FIELD_KINDS[text(field['fieldType'] ?? 'text')] ?? 'text';
  const isChoice = (wanted === 'select' || wanted === 'multiselect') && options.length > 0;
  const isMultiple = wanted === 'multiselect' || field['multiselect'] === true;
  const kind = isChoice ? (isMultiple ? 'multiselect' : 'select') : wanted.endsWith('select') ? 'text' : wanted;
  return {
    name,
    label: label.slice(0, MAX_LABEL) || name,
    kind,
    ...(field['requiredField'] === true ? { required: true } : {}),
    ...(isChoice ? { options } : {}),
  };
}

/**
 * The fields of a page that are computed, and how the item of n8n is made of their values. `texts`: further texts of the
 * page.
 */
export function readFormFields(version: number, parameters: N8nParameters) {
  const asked: AskedField[] = [];
  const fields: ItemData[] = [];
  for (const [index, field] of readGivenFields(parameters).entries()) {
    const { fieldLabel, fieldName, fieldType = 'text' } = field;
    const label = text(version >= 2.4 && fieldName ? fieldName : (fieldLabel ?? fieldName));
    const type = text(fieldType);
    if (type === 'html') continue;
    if (type === 'hiddenField') asked.push({ label, type, value: field['fieldValue'] ?? '' });
    else {
      const name = `field_${index + 1}`;
      asked.push({ label, type, name, ...(field['multipleFiles'] === true ? { takesSeveral: true } : {}) });
      fields.push(toFormField(field, text(fieldLabel ?? fieldName), name));
    }
  }
  const texts = readParameter(parameters, 'texts', {});
  return { fields, asked, ...(isData(texts) ? texts : {}) };
}

/** What n8n gives for a field that was left empty. Of a choice without one it gives nothing. */
function emptyFormValue(type: string): unknown {
  if (type === 'number') return 0;
  if (type === 'radio') return undefined;
  return type === 'file' ? null : '';
}

/** What n8n says of a file in the data of its item. */
const describeFile = ({ name, contentType, size }: ItemData) => ({ filename: name, mimetype: contentType, size });

function readFormValue({ name, type, value, takesSeveral }: AskedField, given: ItemData): unknown {
  if (name === undefined) return value;
  const entered = given[name] ?? emptyFormValue(type);
  if (type === 'file' && isData(entered)) return takesSeveral ? [describeFile(entered)] : describeFile(entered);
  if (typeof entered !== 'string') return entered;
  // Browsers send line breaks as two characters, and n8n keeps them.
  return type === 'textarea' ? entered.replaceAll('\n', '\r\n') : type === 'text' ? entered.trim() : entered;
}

/** The item that n8n makes of a page. `given`: the values of the fields of Weft. */
export function makeFormItem(parameters: N8nParameters): N8nItem {
  const asked = readParameter(parameters, 'asked', []) as AskedField[];
  const values = readParameter(parameters, 'given', {});
  const given = isData(values) ? values : {};
  const files = asked.flatMap(({ label, type, name = '' }): [string, unknown][] =>
    type === 'file' && isData(given[name]) ? [[label.replaceAll(/\W/g, '_'), given[name]]] : [],
  );
  return {
    json: Object.fromEntries(asked.map((field) => [field.label, readFormValue(field, given)])),
    ...(files.length > 0 ? { binary: Object.fromEntries(files) } : {}),
  };
}
