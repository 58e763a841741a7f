import {
  FIELD_KINDS,
  boundOf,
  hasOptions,
  hasPattern,
  type FieldKind,
  type FormField,
} from '@/contract/triggers/form-fields';

const LABELS: Record<FieldKind, string> = {
  text: 'Text',
  textarea: 'Long text',
  email: 'Email address',
  number: 'Number',
  date: 'Date',
  datetime: 'Date and time',
  select: 'Choice',
  multiselect: 'Several choices',
  checkbox: 'Checkbox',
  file: 'File',
  hidden: 'Hidden',
};

/** The kinds that can be chosen. */
export const kindsFor = (takesFiles: boolean) =>
  FIELD_KINDS.filter((kind) => takesFiles || kind !== 'file').map((value) => ({ value, label: LABELS[value] }));

export const EMPTY_FIELD: FormField = { name: '', label: '', kind: 'text' };

/** A name made of a label: `Day off?` becomes `dayOff`. */
export function nameOf(label: string): string {
  const words = label
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
  const [first = '', ...others] = words;
  const name = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return name.replace(/^\d+/, '').slice(0, 64);
}

/** A changed label; a name that follows from the label changes with it. */
export const withLabel = (field: FormField, label: string): FormField => ({
  ...field,
  label,
  name: field.name === nameOf(field.label) ? nameOf(label) : field.name,
});

/** Another kind, without what does not apply to it. */
export function withKind(field: FormField, kind: FieldKind): FormField {
  const { name, label, required, help } = field;
  const keepsBounds = boundOf({ kind }) !== undefined && boundOf({ kind }) === boundOf(field);
  return {
    name,
    label,
    kind,
    required,
    help,
    ...(hasOptions({ kind }) ? { options: field.options ?? [] } : {}),
    ...(hasPattern({ kind }) ? { pattern: field.pattern } : {}),
    ...(keepsBounds ? { min: field.min, max: field.max } : {}),
  };
}

const SEPARATOR = ' = ';

/** Options as lines: `value`, or `value = label`. */
export const optionLines = ({ options = [] }: FormField): string =>
  options.map((option) => (typeof option === 'string' ? option : option.value + SEPARATOR + option.label)).join('\n');

export const optionsFrom = (text: string): FormField['options'] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(SEPARATOR);
      return at === -1
        ? line.trim()
        : { value: line.slice(0, at).trim(), label: line.slice(at + SEPARATOR.length).trim() };
    });

/** The fields with one moved. */
export function moved(fields: readonly FormField[], from: number, to: number): FormField[] {
  const rest = fields.filter((_, index) => index !== from);
  const field = fields[from];
  return field ? [...rest.slice(0, to), field, ...rest.slice(to)] : [...fields];
}
