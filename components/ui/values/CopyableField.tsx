import { TextInput } from '@mantine/core';
import { CopyIconButton } from './CopyIconButton';

interface Props {
  label: string;
  value: string;
  description?: string;
}

/** A read-only value with a copy button. */
export function CopyableField({ label, value, description }: Props) {
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      readOnly
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyIconButton label={`Copy ${label}`} value={value} />}
    />
  );
}
