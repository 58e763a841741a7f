import { ActionIcon, Button, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowForwardUp, IconArrowLeft, IconDeviceFloppy } from '@tabler/icons-react';
import Link from 'next/link';
import classes from '../ui/Workbench.module.css';
import { ConflictDialog } from './ConflictDialog';
import { isDirty, redone, undone, useDraft, useDraftStore } from './draft';
import { RunButton } from './RunButton';
import { StatusMenu } from './StatusMenu';
import { useSave } from './useSave';

/** The workflow's name and state, and what can be done with it as a whole. */
export function EditorBar({ onStarted }: { onStarted(executionId: string): void }) {
  const store = useDraftStore();
  const name = useDraft((draft) => draft.name);
  const isUnsaved = useDraft(isDirty);
  const canUndo = useDraft((draft) => draft.past.length > 0);
  const canRedo = useDraft((draft) => draft.future.length > 0);
  const { save, isSaving, isConflict, overwrite, discard, setStatus } = useSave();
  const undo = () => store.set(undone(store.get()));
  const redo = () => store.set(redone(store.get()));
  // In a text field Ctrl+Z belongs to the text; Ctrl+S saves from anywhere.
  useHotkeys([
    ['mod+Z', undo],
    ['mod+shift+Z', redo],
    ['mod+Y', redo],
  ]);
  useHotkeys([['mod+S', () => void save()]], []);

  return (
    <header className={classes.bar}>
      <Tooltip label="All workflows">
        <ActionIcon component={Link} href="/workflows" size="lg" aria-label="All workflows">
          <IconArrowLeft size={19} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <div className={classes.title}>
        <TextInput
          variant="unstyled"
          aria-label="Name of the workflow"
          value={name}
          maxLength={200}
          maw={420}
          styles={{ input: { fontSize: 16, fontWeight: 620, letterSpacing: '-0.01em' } }}
          onChange={(event) => store.set({ name: event.currentTarget.value })}
        />
      </div>
      <StatusMenu onPick={(status) => void setStatus(status)} />
      <Group gap={2}>
        <Tooltip label="Undo (Ctrl+Z)">
          <ActionIcon size="lg" aria-label="Undo" disabled={!canUndo} onClick={undo}>
            <IconArrowBackUp size={19} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Redo (Ctrl+Shift+Z)">
          <ActionIcon size="lg" aria-label="Redo" disabled={!canRedo} onClick={redo}>
            <IconArrowForwardUp size={19} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Text size="sm" c="dimmed" w={64} ta="right" role="status" visibleFrom="md">
        {isSaving ? 'Saving …' : isUnsaved ? 'Unsaved' : 'Saved'}
      </Text>
      <Button
        variant="default"
        leftSection={<IconDeviceFloppy size={17} aria-hidden />}
        disabled={!isUnsaved}
        loading={isSaving}
        onClick={() => void save()}
      >
        Save
      </Button>
      <RunButton save={save} onStarted={onStarted} />
      <ConflictDialog
        isOpen={isConflict}
        onOverwrite={() => void overwrite()}
        onDiscard={() => void discard()}
        onClose={() => void discard()}
      />
    </header>
  );
}
