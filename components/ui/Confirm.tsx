import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { problemOf } from '../client/problem';
import { ErrorNote } from './ErrorNote';

interface Props {
  isOpen: boolean;
  title: string;
  /** What the button says that goes through with it. */
  action: string;
  isBusy: boolean;
  error: unknown;
  onConfirm(): void;
  onClose(): void;
  /** What will happen. */
  children: ReactNode;
}

/** Asks before something that can't be taken back. */
export function Confirm({ isOpen, title, action, isBusy, error, onConfirm, onClose, children }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <ErrorNote>{error ? problemOf(error).message : null}</ErrorNote>
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
