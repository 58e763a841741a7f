import { Modal } from '@mantine/core';
import { useState } from 'react';
import { SearchCombobox } from '@/components/ui/choosing/SearchCombobox';
import { usePaletteEntries } from './usePaletteEntries';

/** The command palette of pages without one of their own. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const [search, setSearch] = useState('');
  const { choices, pick } = usePaletteEntries(search);
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
      <SearchCombobox
        label="Search commands"
        placeholder="Search workflows, runs, pages and actions"
        choices={choices}
        isGathered
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
