import { PasswordInput, Stack } from '@mantine/core';
import { labelOf, type Schema } from '../forms/schema';
import { SchemaForm } from '../forms/SchemaForm';

interface Props {
  schema: Schema;
  secrets: string[];
  /** Secrets that are set already: left empty, they stay. */
  kept: string[];
  value: Record<string, unknown>;
  /** By field of the config. */
  errors: ReadonlyMap<string, string>;
  onChange(value: Record<string, unknown>): void;
}

/** The fields of a credential's config. What is typed into a secret one can't be read over the shoulder. */
export function ConfigForm({ schema, secrets, kept, value, errors, onChange }: Props) {
  const properties = Object.entries(schema.properties ?? {});
  const isHidden = ([name, field]: [string, Schema]) => secrets.includes(name) && field.type === 'string';
  const shown = properties.filter((entry) => !isHidden(entry));
  const change = (name: string, typed: string) => {
    const { [name]: _, ...others } = value;
    onChange(typed === '' ? others : { ...value, [name]: typed });
  };
  return (
    <Stack gap="md">
      {properties.filter(isHidden).map(([name, field]) => {
        const isKept = kept.includes(name);
        const isRequired = !isKept && (schema.required?.includes(name) ?? false);
        return (
          <PasswordInput
            key={name}
            label={labelOf(name, field)}
            description={isKept ? 'Stored. Leave it empty to keep it.' : field.description}
            placeholder={isKept ? '••••••••' : undefined}
            autoComplete="off"
            required={isRequired}
            withAsterisk={isRequired}
            value={typeof value[name] === 'string' ? value[name] : ''}
            error={errors.get(name)}
            onChange={(event) => change(name, event.currentTarget.value)}
          />
        );
      })}
      <SchemaForm
        schema={{ ...schema, properties: Object.fromEntries(shown.map((entry) => withHint(entry, kept))) }}
        value={value}
        errors={errors}
        onChange={onChange}
      />
    </Stack>
  );
}

const withHint = ([name, field]: [string, Schema], kept: string[]): [string, Schema] =>
  kept.includes(name) ? [name, { ...field, description: 'Stored. Leave it empty to keep it.' }] : [name, field];
