import { Checkbox, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { listFieldOptions, type FormField } from '@/contract/triggers/form-fields';
import type { EnteredFieldValues } from './entered-values';

interface Props {
  fields: readonly FormField[];
  values: EnteredFieldValues;
  /** Messages by the names of fields. */
  errors: ReadonlyMap<string, string>;
  onChange(values: EnteredFieldValues): void;
}

/** The fields of a form, to be filled in. Hidden ones are not shown. */
export function FormFieldInputs({ fields, values, errors, onChange }: Props) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <FormFieldInput
          key={field.name}
          field={field}
          value={values[field.name]}
          error={errors.get(field.name)}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </Stack>
  );
}

interface FormFieldInputProps {
  field: FormField;
  value: unknown;
  error: string | undefined;
  onChange(value: unknown): void;
}

const HTML_INPUT_TYPES = { email: 'email', date: 'date', datetime: 'datetime-local' } as const;

function FormFieldInput({ field, value, error, onChange }: FormFieldInputProps) {
  const { label, kind, help, required } = field;
  const labels = { label, description: help === '' ? undefined : help, error, withAsterisk: required };
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'hidden':
    case 'file':
      return null;
    case 'textarea':
      return (
        <Textarea
          {...labels}
          autosize
          minRows={3}
          maxRows={10}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'number':
      return (
        <NumberInput {...labels} hideControls value={typeof value === 'number' ? value : text} onChange={onChange} />
      );
    case 'checkbox':
      return (
        <Checkbox
          label={required ? `${label} *` : label}
          description={labels.description}
          error={error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'select':
      return (
        <Select
          {...labels}
          data={listFieldOptions(field)}
          value={text || null}
          clearable={!required}
          onChange={onChange}
        />
      );
    case 'multiselect':
      return (
        <Checkbox.Group {...labels} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange}>
          <Stack gap={6} my={6}>
            {listFieldOptions(field).map((option) => (
              <Checkbox key={option.value} value={option.value} label={option.label} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    default:
      return (
        <TextInput
          {...labels}
          type={kind === 'text' ? 'text' : HTML_INPUT_TYPES[kind]}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
