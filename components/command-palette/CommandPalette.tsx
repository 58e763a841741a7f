import { Modal } from '@mantine/core';
import { useState } from 'react';
import { Chooser } from '@/components/ui/choosing/Chooser';
import { useEntries } from './useEntries';

/** The command palette of pages without one of their own. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const [search, setSearch] = useState('');
  const { choices, pick } = useEntries(search);
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding="xs"
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <Chooser
        label="Search commands"
        placeholder="Search workflows, runs, pages and actions"
        choices={choices}
        onSearch={setSearch}
        onPick={(id) => {
          onClose();
          pick(id);
        }}
        onClose={onClose}
      />
    </Modal>
  );
}
