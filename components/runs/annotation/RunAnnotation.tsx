import { ActionIcon, Group, Stack, TagsInput, Text, Textarea } from '@mantine/core';
import {
  IconBookmark,
  IconBookmarkFilled,
  IconNote,
  IconTag,
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
  type Icon,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { AnnotationResponse, AnnotateRunRequest, RunRating } from '@/contract/annotation';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { AnnotationMarks } from './AnnotationMarks';
import { useAnnotation } from './useAnnotation';
import { useRunTags } from './useRunTags';

type OptionalField = 'tags' | 'note';

/** What people say about a run: a rating, tags, a note, and whether it is kept. */
export function RunAnnotation({ executionId }: { executionId: string }) {
  const { annotation, change } = useAnnotation(executionId);
  if (!annotation) return null;
  if (change) return <AnnotationEditor key={executionId} annotation={annotation} onChange={change} />;
  return annotation.updatedAt === null ? null : (
    <Stack gap={4}>
      <AnnotationMarks annotation={annotation} hasNote={false} />
      {annotation.note !== '' && <Text size="sm">{annotation.note}</Text>}
    </Stack>
  );
}

interface AnnotationEditorProps {
  annotation: AnnotationResponse;
  onChange(change: AnnotateRunRequest): void;
}

function AnnotationEditor({ annotation, onChange }: AnnotationEditorProps) {
  const { rating, tags, note, isKept } = annotation;
  const [opened, setOpened] = useState<readonly OptionalField[]>([]);
  const isShown = (field: OptionalField) => opened.includes(field) || annotation[field].length > 0;
  const toggle = (field: OptionalField) =>
    setOpened(opened.includes(field) ? opened.filter((one) => one !== field) : [...opened, field]);
  const rate = (value: RunRating) => onChange({ rating: rating === value ? null : value });
  return (
    <Stack gap={6} role="group" aria-label="Annotation">
      <Group gap={2}>
        <IconToggle
          label="Thumbs up"
          isOn={rating === 'up'}
          icons={[IconThumbUp, IconThumbUpFilled]}
          to={() => rate('up')}
        />
        <IconToggle
          label="Thumbs down"
          isOn={rating === 'down'}
          icons={[IconThumbDown, IconThumbDownFilled]}
          to={() => rate('down')}
        />
        <IconToggle label="Tags" isOn={isShown('tags')} icons={[IconTag, IconTag]} to={() => toggle('tags')} />
        <IconToggle label="Note" isOn={isShown('note')} icons={[IconNote, IconNote]} to={() => toggle('note')} />
        <IconToggle
          label="Keep this run"
          hint={isKept ? 'The clean-up keeps this run' : 'Keep this run: the clean-up does not remove it'}
          isOn={isKept}
          icons={[IconBookmark, IconBookmarkFilled]}
          to={() => onChange({ isKept: !isKept })}
        />
      </Group>
      {isShown('tags') && <RunTagsField tags={tags} onChange={(next) => onChange({ tags: next })} />}
      {isShown('note') && (
        <RunNoteField
          key={note}
          note={note}
          isNew={opened.includes('note')}
          onChange={(next) => onChange({ note: next })}
        />
      )}
    </Stack>
  );
}

interface IconToggleProps {
  label: string;
  hint?: string;
  isOn: boolean;
  /** The icon of the off state, then that of the on state. */
  icons: [Icon, Icon];
  to(): void;
}

function IconToggle({ label, hint = label, isOn, icons: [Off, On], to }: IconToggleProps) {
  const Shown = isOn ? On : Off;
  return (
    <LightTooltip label={hint}>
      <ActionIcon
        size="lg"
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'woad' : 'gray'}
        aria-label={label}
        aria-pressed={isOn}
        onClick={to}
      >
        <Shown size={18} aria-hidden />
      </ActionIcon>
    </LightTooltip>
  );
}

function RunTagsField({ tags, onChange }: { tags: string[]; onChange(tags: string[]): void }) {
  const known = useRunTags(true);
  return (
    <TagsInput
      size="sm"
      aria-label="Tags of the run"
      placeholder={tags.length === 0 ? 'Add a tag' : undefined}
      data={known}
      value={tags}
      maxTags={20}
      maxLength={50}
      onChange={(next) => onChange(next.map((tag) => tag.trim()).filter((tag) => tag !== ''))}
    />
  );
}

interface RunNoteProps {
  note: string;
  /** The person has opened the field to write a note. */
  isNew: boolean;
  onChange(note: string): void;
}

/** The note is stored when its field loses the focus. */
function RunNoteField({ note, isNew, onChange }: RunNoteProps) {
  const [text, setText] = useState(note);
  return (
    <Textarea
      size="sm"
      aria-label="Note on the run"
      placeholder="A note for people who look at this run"
      autosize
      minRows={2}
      maxRows={8}
      maxLength={2000}
      autoFocus={isNew && note === ''}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => text.trim() !== note && onChange(text.trim())}
    />
  );
}
