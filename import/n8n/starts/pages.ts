import { FormSubmitResponse } from '@/contract/triggers/form';
import type { FormFieldType, FormField } from '@/contract/triggers/form-fields';
import { asN8nObject, cutWellFormed, asN8nObjects, type N8nObject, type N8nNode } from '../file';
import { pagePath, type ConvertedTrigger } from './trigger';

const FORM_FIELD_KINDS: Readonly<Record<string, FormFieldType>> = {
  text: 'text',
  textarea: 'textarea',
  email: 'email',
  number: 'number',
  date: 'date',
  dropdown: 'select',
  radio: 'select',
  checkbox: 'multiselect',
  file: 'file',
  hiddenField: 'hidden',
  password: 'text',
};

/** A form with the same fields. `hasPages`: its run shows further pages, or an ending. */
export function convertFormTrigger({ name: title, parameters }: N8nNode, hasPages: boolean): ConvertedTrigger {
  const { fields, names } = convertFormFields(asN8nObjects(asN8nObject(parameters['formFields'])['values']));
  const description = parameters['formDescription'];
  const { response, tasks, knowledge } = convertFormResponse(parameters, hasPages);
  const settings = {
    path: pagePath(parameters['path'] ?? asN8nObject(parameters['options'])['path'], 'from-n8n'),
    title: trimmedText(parameters['formTitle'], 200) ?? (cutWellFormed(title, 200) || 'Form'),
    description: trimmedText(description, 5000) ?? '',
    fields,
    access: 'public' as const,
    response,
  };
  const isOpen = (parameters['authentication'] ?? 'none') === 'none';
  const address = isOpen ? 'It gets a new address.' : 'It gets a new address, for members of the workspace.';
  return {
    triggers: isOpen ? [{ kind: 'form', settings }] : [{ kind: 'form', settings: { ...settings, access: 'members' } }],
    isWhole: isOpen && tasks.length === 0,
    message: [address, ...tasks, ...knowledge].join(' '),
    knowledge: isOpen ? [address, ...knowledge] : knowledge,
    names: new Map([...names].filter(([theirs, ours]) => theirs !== ours)),
  };
}

/** What a visitor sees after the form: n8n shows the same text, unless its node says otherwise. */
const SUBMITTED_TEXT = 'Your response has been recorded';

/** What a visitor sees who has sent the form. `tasks`: what is not as in n8n. */
function convertFormResponse(
  { options, responseMode = 'onReceived' }: N8nObject,
  hasPages: boolean,
): {
  response: FormSubmitResponse;
  tasks: string[];
  knowledge: string[];
} {
  const { respondWithOptions, formSubmittedText: formerText } = asN8nObject(options);
  const values = asN8nObject(asN8nObject(respondWithOptions)['values']);
  const { respondWith = 'text', formSubmittedText = formerText ?? SUBMITTED_TEXT, redirectUrl } = values;
  const isAnswered = responseMode === 'responseNode';
  const tasks = isAnswered ? ['Check what its visitors see: a node that answers does not answer a form here.'] : [];
  const isEarly = responseMode === 'lastNode' && !hasPages;
  const knowledge = isEarly ? ['Its visitors are answered at once, and not after the run.'] : [];
  const redirect = FormSubmitResponse.safeParse({ mode: 'redirect', url: redirectUrl });
  if (respondWith === 'redirect' && !isAnswered) {
    if (redirect.success) return { response: redirect.data, tasks, knowledge };
    tasks.push('Enter the address that its visitors are sent to.');
  }
  const text = trimmedText(formSubmittedText, 10_000) ?? SUBMITTED_TEXT;
  const isComputed = text.startsWith('=') || /<[a-z]/i.test(text);
  if (isComputed && !isAnswered) tasks.push('Write the text that its visitors see: it is computed, or has HTML.');
  return { response: { mode: 'message', message: isComputed ? SUBMITTED_TEXT : text }, tasks, knowledge };
}

/** A chat: what n8n calls `chatInput` is the message. */
export function convertChatTrigger({ name, parameters }: N8nNode): ConvertedTrigger {
  const options = asN8nObject(parameters['options']);
  const authentication = parameters['authentication'] ?? 'none';
  const isPublic = parameters['public'] === true && authentication === 'none';
  const says = [trimmedText(options['subtitle'], 1000), trimmedText(parameters['initialMessages'], 3000)];
  const settings = {
    path: pagePath(options['title'] ?? name, 'chat'),
    title: trimmedText(options['title'], 200) ?? (cutWellFormed(name, 200) || 'Chat'),
    greeting: says
      .filter(Boolean)
      .join('\n\n')
      .replaceAll(/(?<!\n)\n(?!\n)/g, '\n\n'),
    placeholder: trimmedText(options['inputPlaceholder'], 100) ?? '',
    examples: [],
    enabled: true,
    takesFiles: options['allowFileUploads'] === true,
    access: isPublic ? ('public' as const) : ('members' as const),
  };
  return {
    triggers: [{ kind: 'chat', settings }],
    isWhole: authentication !== 'basicAuth',
    message: `Its page gets a new address${isPublic ? '' : ', for members of the workspace'}. “sessionId” and “files” are in the input.`,
    names: new Map([['chatInput', 'message']]),
  };
}

const trimmedText = (given: unknown, most: number): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? cutWellFormed(given.trim(), most) : undefined;

/** The fields of a form. `names`: our names of them, by the names in n8n. */
export function convertFormFields(given: readonly N8nObject[]): { fields: FormField[]; names: Map<string, string> } {
  const names = new Map<string, string>();
  const fields = given
    .filter(({ fieldType }) => fieldType !== 'html')
    .slice(0, 50)
    .map((field, index) => convertFormField(field, index, names));
  return { fields, names };
}

function convertFormField(field: N8nObject, index: number, names: Map<string, string>): FormField {
  const { fieldLabel, fieldName, fieldType = 'text', requiredField, fieldOptions, multiselect } = field;
  const label = trimmedText(fieldLabel, 200) ?? trimmedText(fieldName, 200) ?? `Field ${index + 1}`;
  const base = label
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[\d_]+|_$/g, '')
    .slice(0, 55)
    .toLowerCase();
  const name = base && ![...names.values()].includes(base) ? base : `field_${index + 1}`;
  names.set(trimmedText(fieldName, 200) ?? trimmedText(fieldLabel, 200) ?? label, name);
  const options = [
    ...new Set(
      asN8nObjects(asN8nObject(fieldOptions)['values']).flatMap(({ option }) => trimmedText(option, 200) ?? []),
    ),
  ].slice(0, 200);
  const wanted = FORM_FIELD_KINDS[String(fieldType)] ?? 'text';
  const chosen = wanted === 'select' && multiselect === true ? 'multiselect' : wanted;
  const kind = (chosen === 'select' || chosen === 'multiselect') && options.length === 0 ? 'text' : chosen;
  return {
    name,
    label,
    kind,
    ...(requiredField === true && kind !== 'hidden' ? { required: true } : {}),
    ...(kind === 'select' || kind === 'multiselect' ? { options } : {}),
  };
}
