import { Checkbox, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { optionsOf, type FormField } from '@/contract/triggers/form-fields';
import type { Entered } from './entered';

interface Props {
  fields: readonly FormField[];
  values: Entered;
  /** By the names of fields. */
  errors: ReadonlyMap<string, string>;
  onChange(values: Entered): void;
}

/** The fields of a form, to be filled in. Hidden ones are not shown. */
export function FormFields({ fields, values, errors, onChange }: Props) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <Answer
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

interface AnswerProps {
  field: FormField;
  value: unknown;
  error: string | undefined;
  onChange(value: unknown): void;
}

const TYPES = { email: 'email', date: 'date', datetime: 'datetime-local' } as const;

function Answer({ field, value, error, onChange }: AnswerProps) {
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
        <Select {...labels} data={optionsOf(field)} value={text || null} clearable={!required} onChange={onChange} />
      );
    case 'multiselect':
      return (
        <Checkbox.Group {...labels} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange}>
          <Stack gap={6} my={6}>
            {optionsOf(field).map((option) => (
              <Checkbox key={option.value} value={option.value} label={option.label} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    default:
      return (
        <TextInput
          {...labels}
          type={kind === 'text' ? 'text' : TYPES[kind]}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
