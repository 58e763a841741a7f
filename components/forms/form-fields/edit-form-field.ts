import { startWithCapital } from '@/components/ui/values/start-with-capital';
import {
  FORM_FIELD_TYPES,
  fieldBoundType,
  fieldHasOptions,
  fieldHasPattern,
  type FormFieldType,
  type FormField,
} from '@/contract/triggers/form-fields';

const FORM_FIELD_LABELS: Record<FormFieldType, string> = {
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
export const listFieldKindOptions = (takesFiles: boolean) =>
  FORM_FIELD_TYPES.filter((kind) => takesFiles || kind !== 'file').map((value) => ({
    value,
    label: FORM_FIELD_LABELS[value],
  }));

export const EMPTY_FORM_FIELD: FormField = { name: '', label: '', kind: 'text' };

/** A name made of a label: `Day off?` becomes `dayOff`. */
export function nameFromLabel(label: string): string {
  const words = label
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
  const [first = '', ...others] = words;
  const name = first + others.map((word) => startWithCapital(word)).join('');
  return name.replace(/^\d+/, '').slice(0, 64);
}

/** A changed label; a name that follows from the label changes with it. */
export const changeFieldLabel = (field: FormField, label: string): FormField => ({
  ...field,
  label,
  name: field.name === nameFromLabel(field.label) ? nameFromLabel(label) : field.name,
});

/** Changes the kind of a field, and drops the settings that do not apply to it. */
export function changeFieldKind(field: FormField, kind: FormFieldType): FormField {
  const { name, label, required, help } = field;
  const keepsBounds = fieldBoundType({ kind }) !== undefined && fieldBoundType({ kind }) === fieldBoundType(field);
  return {
    name,
    label,
    kind,
    required,
    help,
    ...(fieldHasOptions({ kind }) ? { options: field.options ?? [] } : {}),
    ...(fieldHasPattern({ kind }) ? { pattern: field.pattern } : {}),
    ...(keepsBounds ? { min: field.min, max: field.max } : {}),
  };
}

const OPTION_SEPARATOR = ' = ';

/** Options as lines: `value`, or `value = label`. */
export const writeOptionLines = ({ options = [] }: FormField): string =>
  options
    .map((option) => (typeof option === 'string' ? option : option.value + OPTION_SEPARATOR + option.label))
    .join('\n');

export const parseOptionLines = (text: string): FormField['options'] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(OPTION_SEPARATOR);
      return at === -1
        ? line.trim()
        : { value: line.slice(0, at).trim(), label: line.slice(at + OPTION_SEPARATOR.length).trim() };
    });

/** The fields with one moved. */
export function moveFormField(fields: readonly FormField[], from: number, to: number): FormField[] {
  const rest = fields.filter((_, index) => index !== from);
  const field = fields[from];
  return field ? [...rest.slice(0, to), field, ...rest.slice(to)] : [...fields];
}
