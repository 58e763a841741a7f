import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** The button that does it; pressing it closes the question. */
  action: ReactNode;
  onClose(): void;
  children: ReactNode;
}

/** Asks before something that can't be taken back. */
export function Confirm({ title, action, onClose, children }: Props) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <Text size="sm">{children}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <span onClickCapture={() => setTimeout(onClose)}>{action}</span>
      </Group>
    </Modal>
  );
}
