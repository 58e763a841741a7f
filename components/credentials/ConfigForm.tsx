import { PasswordInput, Stack } from '@mantine/core';
import { labelOf, type Schema } from '../forms/schema';
import { SchemaForm } from '../forms/SchemaForm';

const KEPT = 'Stored. Leave it empty to keep it.';

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
  const change = (name: string, typed: string) => {
    const { [name]: _, ...others } = value;
    onChange(typed === '' ? others : { ...value, [name]: typed });
  };
  return (
    <Stack gap="md">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const isKept = kept.includes(name);
        const isRequired = !isKept && (schema.required?.includes(name) ?? false);
        if (!secrets.includes(name) || field.type !== 'string')
          return (
            <SchemaForm
              key={name}
              schema={{ ...schema, properties: { [name]: isKept ? { ...field, description: KEPT } : field } }}
              value={value}
              errors={errors}
              onChange={onChange}
            />
          );
        return (
          <PasswordInput
            key={name}
            label={labelOf(name, field)}
            description={isKept ? KEPT : field.description}
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
    </Stack>
  );
}
