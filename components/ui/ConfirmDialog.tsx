import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { readApiError } from '@/components/client/api-error';
import { FormErrorAlert } from './states/FormErrorAlert';

interface Props {
  isOpen: boolean;
  title: string;
  /** Label of the confirm button. */
  action: string;
  isBusy: boolean;
  error: unknown;
  onConfirm(): void;
  onClose(): void;
  /** The consequences. */
  children: ReactNode;
}

/** Asks for confirmation of an action that can't be undone. */
export function ConfirmDialog({ isOpen, title, action, isBusy, error, onConfirm, onClose, children }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <FormErrorAlert>{error ? readApiError(error).message : null}</FormErrorAlert>
        <div>{children}</div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="madder" loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
