import { Group, Input, Stack } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from '../RowButtons';
import { use, useState } from 'react';
import { findBadAddress, listAddressEntries, joinAddressEntries } from './email-addresses';
import type { FieldControlProps } from '../model/field-props';
import { ReferenceOptionsContext } from '../model/reference-options';
import { ExpressionPreview } from '../ExpressionPreview';
import { hasExpressionBraces, schemaLabel } from '../model/field-schema';
import { ExpressionTextField } from '../ExpressionTextField';

/** Addresses of mails, one line each: an address, a member found by name, or an expression. */
export function AddressesField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const members = use(ReferenceOptionsContext)['email-list'] ?? [];
  const isList = schema.type === 'array';
  // Empty lines exist only here.
  const [draft, setDraft] = useState<string[]>(['']);
  const [focused, setFocused] = useState<number>();
  const stored = listAddressEntries(value);
  const isCurrent = JSON.stringify(draft.filter((entry) => entry.trim() !== '')) === JSON.stringify(stored);
  const entries = isCurrent ? draft : stored;
  const label = schemaLabel(name, schema);
  const fallback = typeof schema.default === 'string' && stored.length === 0 ? schema.default : undefined;

  const change = (next: string[]) => {
    setDraft(next.length > 0 ? next : ['']);
    onChange(joinAddressEntries(next, isList));
  };
  /** While an address is typed it is not judged. */
  const problemOf = (entry: string, index: number): string | undefined => {
    const said = errors.get(`${path}[${index}]`) ?? (entries.length === 1 ? errors.get(path) : undefined);
    if (hasExpressionBraces(entry) || index === focused) return said;
    const bad = findBadAddress(entry);
    return bad === undefined ? said : `“${bad}” is not an email address`;
  };
  return (
    <Input.Wrapper
      label={label}
      description={schema.description}
      error={entries.length > 1 && errors.get(path)}
      withAsterisk={isRequired}
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {entries.map((entry, index) => (
          <Group key={index} gap={6} wrap="nowrap" align="flex-start">
            <div
              style={{ flex: 1, minWidth: 0 }}
              data-field={`${path}[${index}]`}
              onFocus={() => setFocused(index)}
              onBlur={() => setFocused(undefined)}
            >
              <ExpressionTextField
                label={index === 0 ? label : `${label} ${index + 1}`}
                isLabelHidden
                placeholder={index === 0 ? fallback : undefined}
                suggestions={members}
                value={entry}
                error={problemOf(entry, index)}
                onChange={(next) => change(entries.map((old, at) => (at === index ? next : old)))}
              />
              {hasExpressionBraces(entry) && (
                <ExpressionPreview value={entry} isBare={false} isFaulty={errors.has(`${path}[${index}]`)} />
              )}
            </div>
            {(entries.length > 1 || entry !== '') && (
              <RemoveRowButton
                mt={4}
                row={`${entry || 'empty line'} from ${label}`}
                onClick={() => change(entries.filter((_, at) => at !== index))}
              />
            )}
          </Group>
        ))}
        {entries.every((entry) => entry !== '') && (
          <AddRowButton aria-label={`Add to ${label}`} onClick={() => change([...entries, ''])} />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
