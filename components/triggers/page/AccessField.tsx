import { Input, SegmentedControl } from '@mantine/core';
import type { FormAccessMode } from '@/contract/triggers/form';

const ACCESS_OPTIONS: { value: FormAccessMode; label: string }[] = [
  { value: 'public', label: 'Anyone' },
  { value: 'members', label: 'Members of the workspace' },
];

interface Props {
  label: string;
  value: FormAccessMode;
  onChange(access: FormAccessMode): void;
}

/** Who may use a page of the workflow. */
export const AccessField = ({ label, value, onChange }: Props) => (
  <Input.Wrapper label={label} labelElement="div">
    <SegmentedControl
      fullWidth
      mt={4}
      aria-label={label}
      data={ACCESS_OPTIONS}
      value={value}
      onChange={(access) => onChange(access as FormAccessMode)}
    />
  </Input.Wrapper>
);
