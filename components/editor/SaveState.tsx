import { Group, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloudOff, IconGitMerge, IconLoader2, IconPencil } from '@tabler/icons-react';
import { isDirty, useDraft } from './draft';
import classes from './EditorBar.module.css';
import { Hint } from '../ui/Hint';

/** Whether the service has what is on the canvas; pressed, it saves now. */
export function SaveState({ onSave }: { onSave(): void }) {
  const isUnsaved = useDraft(isDirty);
  const saving = useDraft((draft) => draft.saving);
  const refusal = useDraft((draft) => draft.refusal);
  const isWaiting = useDraft((draft) => draft.saved.draftVersion !== null);
  const settled = isWaiting ? 'kept' : 'saved';
  const state = saving === 'idle' ? (isUnsaved ? 'unsaved' : settled) : saving;
  const { label, hint, icon: Icon, tone } = LOOKS[state];
  return (
    <Hint label={refusal && state === 'refused' ? refusal : hint}>
      <UnstyledButton onClick={onSave} px={6} py={4} style={{ color: `var(--weft-${tone})`, fontSize: 13 }}>
        <Group gap={6} wrap="nowrap">
          <Icon size={16} aria-hidden />
          <span role="status" className={QUIET.has(state) ? classes.quiet : undefined}>
            {label}
          </span>
        </Group>
      </UnstyledButton>
    </Hint>
  );
}

/** What nobody has to act upon. */
const QUIET: ReadonlySet<string> = new Set(['saved', 'kept', 'unsaved', 'saving']);

const LOOKS = {
  saved: { label: 'Saved', hint: 'Everything is saved', icon: IconCheck, tone: 'muted' },
  kept: {
    label: 'Draft saved',
    hint: 'Everything is saved, and waits to be published',
    icon: IconCheck,
    tone: 'muted',
  },
  unsaved: { label: 'Unsaved', hint: 'Saves in a moment; press to save now', icon: IconPencil, tone: 'muted' },
  saving: { label: 'Saving …', hint: 'On its way', icon: IconLoader2, tone: 'muted' },
  offline: {
    label: 'Offline',
    hint: 'The service can’t be reached. Your work is kept in this browser and saved as soon as it can be.',
    icon: IconCloudOff,
    tone: 'waiting',
  },
  refused: { label: 'Not saved', hint: '', icon: IconAlertTriangle, tone: 'failed' },
  conflict: {
    label: 'Changed elsewhere',
    hint: 'Somebody else saved this workflow; press to settle it',
    icon: IconGitMerge,
    tone: 'waiting',
  },
} as const;
