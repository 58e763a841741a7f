import { ActionIcon, Button, type ActionIconProps } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';

interface RemoveRowButtonProps extends Pick<ActionIconProps, 'mt' | 'mb'> {
  /** Names the row. */
  row: string;
  onClick(): void;
}

export const RemoveRowButton = ({ row, ...props }: RemoveRowButtonProps) => (
  <ActionIcon aria-label={`Remove ${row}`} {...props}>
    <IconX size={15} aria-hidden />
  </ActionIcon>
);

interface AddRowButtonProps {
  label?: string;
  'aria-label'?: string;
  onClick(): void;
}

export const AddRowButton = ({ label = 'Add', ...props }: AddRowButtonProps) => (
  <Button
    variant="default"
    size="compact-sm"
    w="fit-content"
    leftSection={<IconPlus size={14} aria-hidden />}
    {...props}
  >
    {label}
  </Button>
);
