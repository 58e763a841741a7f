import { Input, SegmentedControl } from '@mantine/core';
import type { FormAccess } from '@/contract/triggers/form';

const ACCESS: { value: FormAccess; label: string }[] = [
  { value: 'public', label: 'Anyone' },
  { value: 'members', label: 'Members of the workspace' },
];

interface Props {
  label: string;
  value: FormAccess;
  onChange(access: FormAccess): void;
}

/** Who may use a page of the workflow. */
export const AccessField = ({ label, value, onChange }: Props) => (
  <Input.Wrapper label={label} labelElement="div">
    <SegmentedControl
      fullWidth
      mt={4}
      aria-label={label}
      data={ACCESS}
      value={value}
      onChange={(access) => onChange(access as FormAccess)}
    />
  </Input.Wrapper>
);
