import { Input, Stack } from '@mantine/core';
import { RemoveRowButton } from '../RowButtons';
import type { FieldControlProps } from '../model/field-props';
import { schemaLabel } from '../model/field-schema';
import { useFormValue } from '../model/form-values';
import { ItemFieldPicker } from './ItemFieldPicker';
import classes from './Rules.module.css';
import { useFirstItem } from './useFirstItem';

/** One field of the items of a list. */
export function ItemFieldField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const scope = useFirstItem(useFormValue(schema['x-list']));
  const label = schemaLabel(name, schema);
  return (
    <Input.Wrapper label={label} labelElement="div" error={errors.get(path)} withAsterisk={isRequired}>
      <ItemFieldPicker
        label={label}
        value={typeof value === 'string' ? value : undefined}
        scope={scope}
        isInvalid={errors.has(path)}
        onPick={onChange}
      />
    </Input.Wrapper>
  );
}

/** Several fields of the items of a list. A single text is a list of one. */
export function ItemFieldsField({ name, schema, value, path, errors, onChange }: FieldControlProps) {
  const scope = useFirstItem(useFormValue(schema['x-list']));
  const label = schemaLabel(name, schema);
  const fields = [value ?? []].flat().map(String);
  const change = (next: string[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <Input.Wrapper label={label} labelElement="div" description={schema.description} error={errors.get(path)}>
      <Stack gap={6} mt={6} role="group" aria-label={label}>
        {fields.map((field, index) => (
          <div key={index} className={classes.removable}>
            <ItemFieldPicker
              label={`${label} ${index + 1}`}
              value={field}
              scope={scope}
              isInvalid={errors.has(`${path}[${index}]`)}
              onPick={(next) => change(fields.with(index, next))}
            />
            <RemoveRowButton row={field} onClick={() => change(fields.filter((_, other) => other !== index))} />
          </div>
        ))}
        <ItemFieldPicker
          label={`${label} ${fields.length + 1}`}
          value={undefined}
          scope={scope}
          placeholder={fields.length > 0 ? 'And a further field' : undefined}
          onPick={(next) => change([...fields, next])}
        />
      </Stack>
    </Input.Wrapper>
  );
}
