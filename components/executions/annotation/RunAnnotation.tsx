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
import type { Annotation, AnnotationChange, Rating } from '@/contract/annotation';
import { Hint } from '@/components/ui/Hint';
import { AnnotationMarks } from './AnnotationMarks';
import { useAnnotation } from './useAnnotation';
import { useRunTags } from './useRunTags';

type Field = 'tags' | 'note';

/** What people say about a run: a rating, tags, a note, and whether it is kept. */
export function RunAnnotation({ executionId }: { executionId: string }) {
  const { annotation, change } = useAnnotation(executionId);
  if (!annotation) return null;
  if (change) return <Editable key={executionId} annotation={annotation} onChange={change} />;
  return annotation.updatedAt === null ? null : (
    <Stack gap={4}>
      <AnnotationMarks annotation={annotation} hasNote={false} />
      {annotation.note !== '' && <Text size="sm">{annotation.note}</Text>}
    </Stack>
  );
}

interface EditableProps {
  annotation: Annotation;
  onChange(change: AnnotationChange): void;
}

function Editable({ annotation, onChange }: EditableProps) {
  const { rating, tags, note, isKept } = annotation;
  const [opened, setOpened] = useState<readonly Field[]>([]);
  const isShown = (field: Field) => opened.includes(field) || annotation[field].length > 0;
  const toggle = (field: Field) =>
    setOpened(opened.includes(field) ? opened.filter((one) => one !== field) : [...opened, field]);
  const rate = (value: Rating) => onChange({ rating: rating === value ? null : value });
  return (
    <Stack gap={6} role="group" aria-label="Annotation">
      <Group gap={2}>
        <Toggle
          label="Thumbs up"
          isOn={rating === 'up'}
          icons={[IconThumbUp, IconThumbUpFilled]}
          to={() => rate('up')}
        />
        <Toggle
          label="Thumbs down"
          isOn={rating === 'down'}
          icons={[IconThumbDown, IconThumbDownFilled]}
          to={() => rate('down')}
        />
        <Toggle label="Tags" isOn={isShown('tags')} icons={[IconTag, IconTag]} to={() => toggle('tags')} />
        <Toggle label="Note" isOn={isShown('note')} icons={[IconNote, IconNote]} to={() => toggle('note')} />
        <Toggle
          label="Keep this run"
          hint={isKept ? 'The clean-up keeps this run' : 'Keep this run: the clean-up does not remove it'}
          isOn={isKept}
          icons={[IconBookmark, IconBookmarkFilled]}
          to={() => onChange({ isKept: !isKept })}
        />
      </Group>
      {isShown('tags') && <TagField tags={tags} onChange={(next) => onChange({ tags: next })} />}
      {isShown('note') && (
        <NoteField
          key={note}
          note={note}
          isNew={opened.includes('note')}
          onChange={(next) => onChange({ note: next })}
        />
      )}
    </Stack>
  );
}

interface ToggleProps {
  label: string;
  hint?: string;
  isOn: boolean;
  /** Off and on. */
  icons: [Icon, Icon];
  to(): void;
}

function Toggle({ label, hint = label, isOn, icons: [Off, On], to }: ToggleProps) {
  const Shown = isOn ? On : Off;
  return (
    <Hint label={hint}>
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
    </Hint>
  );
}

function TagField({ tags, onChange }: { tags: string[]; onChange(tags: string[]): void }) {
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

interface NoteProps {
  note: string;
  /** It was opened to be written. */
  isNew: boolean;
  onChange(note: string): void;
}

/** Stored when it loses the focus. */
function NoteField({ note, isNew, onChange }: NoteProps) {
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
