import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTextBeforeHydration } from './useTextBeforeHydration';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'aria-label'> {
  /** For screen readers. */
  label: string;
  value: string;
  onChange(text: string): void;
}

/** A field that filters what is below it. */
export function SearchInput({ label, value, onChange, ...props }: Props) {
  const field = useTextBeforeHydration(value, onChange);
  return (
    <TextInput
      {...props}
      ref={field}
      type="search"
      aria-label={label}
      leftSection={<IconSearch size={props.size === 'xs' ? 13 : 16} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
