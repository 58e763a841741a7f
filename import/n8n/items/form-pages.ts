import { MAX_FORM_FIELDS, RedirectAddress } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed, type N8nObject } from '../file';
import { convertFormFields } from '../starts/pages';
import { connectNodes } from './connect-nodes';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { splitText } from './parameter-source';
import { readWaitLimit } from './wait-limit';

/** The text of a parameter with at most so many characters; undefined: it is empty. */
function limitedText(conversion: ItemConversion, given: unknown, most: number): string | undefined {
  const text = conversion.text(given)?.trim();
  if (!text) return undefined;
  return text.includes('{{') ? text : cutWellFormed(text, most);
}

const TAG_PATTERN = /<\/?[a-z][^<>]*>/gi;
const hasTags = (text: string): boolean => text.search(TAG_PATTERN) !== -1;

/** A text that n8n shows with its HTML, without that. */
function plainText(conversion: ItemConversion, given: unknown, most: number): string | undefined {
  const text = limitedText(conversion, given, most);
  if (text === undefined) return undefined;
  if (hasTags(text) || text.includes('{{')) conversion.addRemark('Its texts are shown without HTML.');
  return text.replaceAll(/<br\s*\/?>/gi, '\n').replaceAll(TAG_PATTERN, '');
}

/** The fields that a page asks for; null: they are computed in the run. */
function readPageFields(conversion: ItemConversion): N8nObject[] | null {
  const { defineForm = 'fields', jsonOutput, formFields } = conversion.node.parameters;
  if (defineForm !== 'json') {
    const given = asN8nObjects(asN8nObject(formFields)['values']);
    return given.some(isComputedField) ? null : given;
  }
  try {
    return asN8nObjects(JSON.parse(String(jsonOutput)));
  } catch {
    return null;
  }
}

const isComputedText = (value: unknown): boolean => typeof value === 'string' && /^=[^]*\{\{/.test(value);

/** Whether what a field asks for depends on the run. Its placeholder is not shown. */
const isComputedField = ({ fieldLabel, fieldName, fieldValue, fieldOptions }: N8nObject): boolean =>
  [fieldLabel, fieldName, fieldValue].some(isComputedText) ||
  asN8nObjects(asN8nObject(fieldOptions)['values']).some(({ option }) => isComputedText(option));

/** A text in the mode for expressions, without one, is a text. */
const withoutMark = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/^=/, '') : value);

/** Reports what the page does not have as in n8n. */
function remarkFields(conversion: ItemConversion, given: readonly N8nObject[]): void {
  const types = new Set(given.map(({ fieldType }) => fieldType));
  if (types.has('html')) conversion.addTodo('Write what it shows between its fields into the description: it is HTML.');
  if (given.some(({ fieldType, multipleFiles }) => fieldType === 'file' && multipleFiles === true))
    conversion.addTodo('Its visitors send one file in each field: n8n takes several.');
  if (given.some(({ formatDate }) => !isEmptyText(formatDate)))
    conversion.addTodo('Check the format of its dates: here it is 2026-01-31.');
  if (given.some(({ defaultValue }) => !isEmptyText(defaultValue)))
    conversion.addTodo('Its fields are empty at first: tell visitors what they usually hold.');
  if (given.length > MAX_FORM_FIELDS) conversion.addTodo(`Its fields after the ${MAX_FORM_FIELDS}th are left out.`);
}

const isEmptyText = (given: unknown): boolean => given === undefined || given === '';

/** The fields of a page, and how the item of n8n is made of them. */
function convertPageFields(
  { node: { version } }: ItemConversion,
  written: readonly N8nObject[],
): { fields: FormField[]; asked: object[] } {
  const given = written
    .filter(({ fieldType }) => fieldType !== 'html')
    .map((field): N8nObject => ({
      ...field,
      fieldLabel: withoutMark(field['fieldLabel']),
      fieldName: withoutMark(field['fieldName']),
    }));
  const shown = given.filter(({ fieldType }) => fieldType !== 'hiddenField').slice(0, MAX_FORM_FIELDS);
  const { fields } = convertFormFields(shown);
  const asked = given.flatMap((field): object[] => {
    const { fieldLabel, fieldName, fieldType: type = '', fieldValue = '', multipleFiles } = field;
    const label = version >= 2.4 && fieldName ? fieldName : (fieldLabel ?? fieldName ?? '');
    if (type === 'hiddenField') return [{ label, type, value: withoutMark(fieldValue) }];
    const name = fields[shown.indexOf(field)]?.name;
    return name === undefined ? [] : [{ label, type, name, ...(multipleFiles === true ? { takesSeveral: true } : {}) }];
  });
  return { fields, asked };
}

interface PageTexts {
  formTitle?: unknown;
  formDescription?: unknown;
  buttonLabel?: unknown;
  customCss?: unknown;
}

/** The parts of JSON with expressions, whose values become JSON. */
const splitJson = (json: unknown): unknown =>
  typeof json === 'string' && json.startsWith('=')
    ? splitText(json).map((piece) => ('text' in piece ? piece.text : `={{ ${piece.source} }}`))
    : json;

/** A page that waits for the visitor, and a node that gives the item of n8n. */
export function convertFormPage(conversion: ItemConversion, texts: PageTexts): ItemNodes {
  const { id, node } = conversion;
  const { limitWaitTime, jsonOutput } = node.parameters;
  conversion.remarkFailureBefore();
  if (!isEmptyText(texts.customCss)) conversion.addRemark('Its own styles are left out.');
  const expiresInMs = limitWaitTime === true ? readWaitLimit(conversion, node.parameters, [45, 'minutes']) : undefined;
  if (limitWaitTime === true)
    conversion.addTodo('Check what follows when its time has passed: n8n passes its items on.');
  const written = readPageFields(conversion);
  remarkFields(conversion, written ?? asN8nObjects(asN8nObject(node.parameters['formFields'])['values']));
  const page = conversion.createId(`${id}_page`);
  const shown = {
    title: limitedText(conversion, texts.formTitle, 200),
    description: plainText(conversion, texts.formDescription, 5000),
    buttonText: limitedText(conversion, texts.buttonLabel, 60) ?? 'Submit',
  };
  const limit = expiresInMs === undefined ? {} : { expiresInMs };
  const showPage = (config: object): WorkflowNode => {
    const { each: _, ...made } = conversion.createHelper(
      page,
      'page',
      { type: 'form_page', config: { ...config, ...limit } },
      -1,
    );
    return made;
  };
  const giveItem = (asked: string): ItemNodes =>
    conversion.wholeNode({
      type: 'transform',
      config: {
        expression: `[{ ...n8n.formItem(${node.version}, { asked: ${asked}, given: input }), submittedAt: DateTime.now().toISO(), formMode: $execution.mode }]`,
      },
    });
  if (written) {
    const { fields, asked } = convertPageFields(conversion, written);
    const given = Object.entries(shown).filter(([, text]) => text !== undefined);
    const made = giveItem(JSON.stringify(asked));
    return joinBefore(made, [showPage({ ...Object.fromEntries(given), form: { fields } })], id);
  }
  // What is computed is computed of the items that come in, which the page itself does not have.
  const before = conversion.createId(`${id}_fields`);
  const expression = conversion.callPrelude('formFields', {
    jsonOutput: splitJson(jsonOutput),
    texts: { title: texts.formTitle, description: texts.formDescription, buttonText: texts.buttonLabel },
  });
  const { each: _, ...computing } = conversion.createHelper(
    before,
    'fields',
    { type: 'transform', config: { expression } },
    -2,
  );
  const config = {
    title: '{{ input.title }}',
    description: '{{ input.description }}',
    buttonText: '{{ input.buttonText || "Submit" }}',
    form: { fields: '{{ input.fields }}' },
  };
  return joinBefore(giveItem(`nodes.${before}.asked`), [computing, showPage(config)], id);
}

/** Nodes one after the other before the one that gives the item. */
function joinBefore(made: ItemNodes, before: WorkflowNode[], id: string): ItemNodes {
  const ids = [...before.map((node) => node.id), id];
  const links = ids.slice(1).map((target, index) => connectNodes(ids[index] ?? '', target));
  return {
    ...made,
    nodes: [...before, ...made.nodes],
    connections: [...made.connections, ...links],
    entries: ids.slice(0, 1),
  };
}

/** What an ending shows. */
function endingConfig(conversion: ItemConversion): Record<string, unknown> {
  const {
    respondWith = 'text',
    redirectUrl,
    responseText,
    completionTitle,
    completionMessage,
    inputDataFieldName,
  } = conversion.node.parameters;
  if (respondWith === 'redirect') {
    const url = conversion.text(redirectUrl) ?? '';
    if (!url.includes('{{') && !RedirectAddress.safeParse(url).success) {
      conversion.addChoice('node.config', 'Enter the address that its visitors are sent to.');
      return { show: 'redirect' };
    }
    return { show: 'redirect', url };
  }
  if (respondWith === 'showText') return { show: 'html', html: wholeHtml(conversion, responseText) };
  const title = limitedText(conversion, completionTitle, 200);
  const message = plainText(conversion, completionMessage, 10_000);
  const texts = { ...(title ? { title } : {}), ...(message ? { message } : {}) };
  if (respondWith !== 'returnBinary') return texts;
  const name = typeof inputDataFieldName === 'string' && inputDataFieldName !== '' ? inputDataFieldName : 'data';
  if (name.includes(',')) conversion.addTodo('Check which file it gives: here it is one.');
  conversion.addTodo('Check which file it gives: that of its first item. n8n looks for it in the nodes before, too.');
  return {
    show: 'file',
    ...texts,
    file: `{{ [input].flat()[0]?.$files?.[${JSON.stringify(name.split(',', 1)[0]?.trim())}] }}`,
  };
}

/** HTML as n8n shows it. One expression alone is not escaped, and n8n escapes none. */
function wholeHtml(conversion: ItemConversion, given: unknown): string {
  const text = conversion.text(given) ?? '';
  if (!text.includes('{{')) return text;
  const source = conversion.code(given);
  return source.includes('}}') || source.includes('{{') ? text : `{{ ${source} }}`;
}

function convertEnding(conversion: ItemConversion): ItemNodes {
  const { customCss } = asN8nObject(conversion.node.parameters['options']);
  if (!isEmptyText(customCss)) conversion.addRemark('Its own styles are left out.');
  return conversion.wholeNode({ type: 'form_ending', config: endingConfig(conversion) });
}

/** A page of a form, or its end. */
export const convertForm = (conversion: ItemConversion): ItemNodes =>
  conversion.node.parameters['operation'] === 'completion'
    ? convertEnding(conversion)
    : convertFormPage(conversion, asN8nObject(conversion.node.parameters['options']));
