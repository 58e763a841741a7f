import { PasswordInput, Stack, Textarea } from '@mantine/core';
import { schemaLabel, type FieldSchema } from '@/components/forms/model/field-schema';
import { SchemaForm } from '@/components/forms/SchemaForm';

const STORED_SECRET_HINT = 'Stored. Leave empty to keep it.';

interface Props {
  schema: FieldSchema;
  secrets: string[];
  /** Names of secrets that are stored. Left empty, they are kept. */
  storedSecrets: string[];
  value: Record<string, unknown>;
  /** Errors by config field. */
  errors: ReadonlyMap<string, string>;
  onChange(value: Record<string, unknown>): void;
}

/** The fields of a credential's config. Secrets use password inputs. */
export function CredentialFields({ schema, secrets, storedSecrets, value, errors, onChange }: Props) {
  const change = (name: string, typed: string) => {
    const { [name]: _, ...others } = value;
    onChange(typed === '' ? others : { ...value, [name]: typed });
  };
  return (
    <Stack gap="md">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const isStored = storedSecrets.includes(name);
        const isRequired = !isStored && (schema.required?.includes(name) ?? false);
        if (!secrets.includes(name) || field.type !== 'string')
          return (
            <SchemaForm
              key={name}
              schema={{
                ...schema,
                properties: { [name]: isStored ? { ...field, description: STORED_SECRET_HINT } : field },
              }}
              value={value}
              errors={errors}
              onChange={onChange}
            />
          );
        const common = {
          label: schemaLabel(name, field),
          description: isStored ? STORED_SECRET_HINT : field.description,
          placeholder: isStored ? '••••••••' : undefined,
          autoComplete: 'off',
          required: isRequired,
          withAsterisk: isRequired,
          value: typeof value[name] === 'string' ? value[name] : '',
          error: errors.get(name),
        };
        // A password input has only one line, so a longer secret needs a text area.
        if (field['x-editor'] === 'multiline')
          return (
            <Textarea
              key={name}
              {...common}
              autosize
              minRows={3}
              maxRows={8}
              spellCheck={false}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          );
        return <PasswordInput key={name} {...common} onChange={(event) => change(name, event.currentTarget.value)} />;
      })}
    </Stack>
  );
}
