import type { FieldKind, FormField } from '@/contract/triggers/form-fields';
import { bag, cut, list, type Bag, type N8nNode } from '../file';
import { pathOf, type ConvertedTrigger } from './trigger';

const KINDS: Readonly<Record<string, FieldKind>> = {
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

/** A form with the same fields. */
export function form({ name: title, parameters }: N8nNode): ConvertedTrigger {
  const names = new Map<string, string>();
  const fields = list(bag(parameters['formFields'])['values'])
    .filter(({ fieldType }) => fieldType !== 'html')
    .slice(0, 50)
    .map((field, index) => fieldOf(field, index, names));
  const description = parameters['formDescription'];
  const settings = {
    path: pathOf(parameters['path'] ?? bag(parameters['options'])['path'], 'from-n8n'),
    title: textOf(parameters['formTitle'], 200) ?? (cut(title, 200) || 'Form'),
    description: textOf(description, 5000) ?? '',
    fields,
    access: 'public' as const,
    response: { mode: 'message' as const, message: 'Thank you. It was received.' },
  };
  const isOpen = (parameters['authentication'] ?? 'none') === 'none';
  return {
    triggers: isOpen ? [{ kind: 'form', settings }] : [{ kind: 'form', settings: { ...settings, access: 'members' } }],
    isWhole: isOpen,
    message: isOpen ? 'It gets a new address.' : 'It gets a new address, for members of the workspace.',
    names: new Map([...names].filter(([theirs, ours]) => theirs !== ours)),
  };
}

/** A chat: what n8n calls `chatInput` is the message. */
export function chat({ name, parameters }: N8nNode): ConvertedTrigger {
  const options = bag(parameters['options']);
  const authentication = parameters['authentication'] ?? 'none';
  const isPublic = parameters['public'] === true && authentication === 'none';
  const says = [textOf(options['subtitle'], 1000), textOf(parameters['initialMessages'], 3000)];
  const settings = {
    path: pathOf(options['title'] ?? name, 'chat'),
    title: textOf(options['title'], 200) ?? (cut(name, 200) || 'Chat'),
    greeting: says
      .filter(Boolean)
      .join('\n\n')
      .replaceAll(/(?<!\n)\n(?!\n)/g, '\n\n'),
    placeholder: textOf(options['inputPlaceholder'], 100) ?? '',
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

const textOf = (given: unknown, most: number): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? cut(given.trim(), most) : undefined;

function fieldOf(field: Bag, index: number, names: Map<string, string>): FormField {
  const { fieldLabel, fieldName, fieldType = 'text', requiredField, fieldOptions, multiselect } = field;
  const label = textOf(fieldLabel, 200) ?? textOf(fieldName, 200) ?? `Field ${index + 1}`;
  const base = label
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[\d_]+|_$/g, '')
    .slice(0, 55)
    .toLowerCase();
  const name = base && ![...names.values()].includes(base) ? base : `field_${index + 1}`;
  names.set(textOf(fieldName, 200) ?? textOf(fieldLabel, 200) ?? label, name);
  const options = [
    ...new Set(list(bag(fieldOptions)['values']).flatMap(({ option }) => textOf(option, 200) ?? [])),
  ].slice(0, 200);
  const wanted = KINDS[String(fieldType)] ?? 'text';
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
