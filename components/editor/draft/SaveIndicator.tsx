import { Group, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCloudOff, IconGitMerge, IconLoader2, IconPencil } from '@tabler/icons-react';
import { hasUnsavedChanges, useDraft } from './draft';
import classes from '../EditorBar.module.css';
import { LightTooltip } from '@/components/ui/LightTooltip';

/** The save state of the workflow. A click saves now. */
export function SaveIndicator({ onSave }: { onSave(): void }) {
  const isUnsaved = useDraft(hasUnsavedChanges);
  const saving = useDraft((draft) => draft.saving);
  const refusal = useDraft((draft) => draft.refusal);
  const isWaiting = useDraft((draft) => draft.saved.draftVersion !== null);
  const savedState = isWaiting ? 'draftSaved' : 'saved';
  const state = saving === 'idle' ? (isUnsaved ? 'unsaved' : savedState) : saving;
  const { label, hint, icon: Icon, tone } = SAVE_STATE_STYLES[state];
  return (
    <LightTooltip label={refusal && (state === 'refused' || state === 'invalid') ? `${hint}${refusal}` : hint}>
      <UnstyledButton onClick={onSave} px={6} py={4} style={{ color: `var(--weft-${tone})`, fontSize: 13 }}>
        <Group gap={6} wrap="nowrap">
          <Icon size={16} aria-hidden />
          <span role="status" className={ICON_ONLY_STATES.has(state) ? classes.quiet : undefined}>
            {label}
          </span>
        </Group>
      </UnstyledButton>
    </LightTooltip>
  );
}

/** In these states only the icon is shown on narrow screens, so that the bar does not grow by a row. */
const ICON_ONLY_STATES: ReadonlySet<string> = new Set(['saved', 'draftSaved', 'unsaved', 'saving', 'invalid']);

const SAVE_STATE_STYLES = {
  saved: { label: 'Saved', hint: 'All changes are saved', icon: IconCheck, tone: 'muted' },
  draftSaved: {
    label: 'Draft saved',
    hint: 'All changes are saved. The draft is not published yet.',
    icon: IconCheck,
    tone: 'muted',
  },
  unsaved: { label: 'Unsaved', hint: 'Saves automatically. Click to save now.', icon: IconPencil, tone: 'muted' },
  saving: { label: 'Saving …', hint: 'Saving changes', icon: IconLoader2, tone: 'muted' },
  offline: {
    label: 'Offline',
    hint: 'The service can’t be reached. Your changes are stored in this browser and saved when the connection is back.',
    icon: IconCloudOff,
    tone: 'waiting',
  },
  invalid: {
    label: 'Draft with errors',
    hint: 'Your changes are stored, but can’t be run or published until the errors are corrected. ',
    icon: IconAlertTriangle,
    tone: 'waiting',
  },
  refused: { label: 'Not saved', hint: '', icon: IconAlertTriangle, tone: 'failed' },
  conflict: {
    label: 'To decide',
    hint: 'Someone else changed the same field. Your changes are saved once you have chosen which value stays.',
    icon: IconGitMerge,
    tone: 'waiting',
  },
} as const;
