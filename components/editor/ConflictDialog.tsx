import { Button, Group, Modal, Text } from '@mantine/core';

interface Props {
  isOpen: boolean;
  onOverwrite(): void;
  onDiscard(): void;
  onClose(): void;
}

export function ConflictDialog({ isOpen, onOverwrite, onDiscard, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Somebody else saved this workflow">
      <Text size="sm">
        It changed since you opened it. Keep your version and make it the newest (theirs stays in the history), or drop
        your changes and continue with theirs.
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onDiscard}>
          Take theirs
        </Button>
        <Button onClick={onOverwrite}>Keep mine</Button>
      </Group>
    </Modal>
  );
}
