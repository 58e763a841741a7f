import { Input, Stack, Text, VisuallyHidden } from '@mantine/core';
import { AddRowButton } from '../RowButtons';
import { useEffect, useRef, useState } from 'react';
import type { FormField } from '@/contract/triggers/form-fields';
import { FormFieldRow } from './FormFieldRow';
import { EMPTY_FORM_FIELD, moveFormField } from './edit-form-field';

interface Props {
  label: string;
  description?: string;
  fields: readonly FormField[];
  /** Messages by the path in the list: `[2].name`. The empty path stands for the whole list. */
  errors: ReadonlyMap<string, string>;
  /** The path of the list among the fields of a form. */
  path?: string;
  /** Whether files can be sent with the form. */
  takesFiles?: boolean;
  onChange(fields: FormField[]): void;
}

/** A row with a key that stays with it when it is moved. */
let lastKey = 0;
const nextRowKey = () => (lastKey += 1);

/** The fields of a form that is being edited: added, changed, moved and removed. */
export function FormFieldRows({ label, description, fields, errors, path, takesFiles = false, onChange }: Props) {
  const [keys, setKeys] = useState(() => fields.map(nextRowKey));
  const [focus, setFocus] = useState<{ row: number; target: string }>();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!focus) return;
    const row = list.current?.querySelector(`[data-row="${focus.row}"]`);
    const target = row?.querySelector<HTMLElement>(`${focus.target}:not(:disabled)`);
    (target ?? row?.querySelector<HTMLElement>('[data-move]:not(:disabled)'))?.focus();
  }, [focus]);
  // Undo can replace the fields from outside, so that some rows have no key.
  const rows = fields.map((field, index) => ({ field, key: keys[index] ?? -1 - index }));
  const add = () => {
    setKeys([...rows.map(({ key }) => key), nextRowKey()]);
    onChange([...fields, EMPTY_FORM_FIELD]);
    setFocus({ row: fields.length, target: 'input' });
  };
  const move = (from: number, to: number) => {
    const order = rows.map(({ key }) => key);
    const [key = nextRowKey()] = order.splice(from, 1);
    order.splice(to, 0, key);
    setKeys(order);
    onChange(moveFormField(fields, from, to));
    setFocus({ row: to, target: `[data-move="${to < from ? 'up' : 'down'}"]` });
    setSaid(`${fields[from]?.label || 'The field'} is now field ${to + 1} of ${fields.length}`);
  };
  const remove = (at: number) => {
    setKeys(rows.map(({ key }) => key).filter((_, index) => index !== at));
    onChange(fields.filter((_, index) => index !== at));
  };
  return (
    <Input.Wrapper label={label} description={description} error={errors.get('')} labelElement="div">
      <Stack gap="xs" mt={6} ref={list}>
        {fields.length === 0 && (
          <Text size="sm" c="dimmed">
            There are no fields yet.
          </Text>
        )}
        {rows.map(({ field, key }, index) => (
          <FormFieldRow
            key={key}
            field={field}
            index={index}
            count={fields.length}
            path={path && `${path}[${index}]`}
            takesFiles={takesFiles}
            errorOf={(part) => errors.get(`[${index}].${part}`)}
            onChange={(next) => onChange(fields.map((old, at) => (at === index ? next : old)))}
            onMove={(to) => move(index, to)}
            onRemove={() => remove(index)}
          />
        ))}
        <AddRowButton label="Add field" onClick={add} />
        <VisuallyHidden role="status">{said}</VisuallyHidden>
      </Stack>
    </Input.Wrapper>
  );
}
