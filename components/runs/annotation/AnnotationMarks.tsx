import { Badge, Group } from '@mantine/core';
import { IconBookmarkFilled, IconNote, IconThumbDownFilled, IconThumbUpFilled, type Icon } from '@tabler/icons-react';
import type { AnnotationResponse } from '@/contract/annotation';
import { LightTooltip } from '@/components/ui/LightTooltip';
import classes from './AnnotationMarks.module.css';

const MAX_VISIBLE_TAGS = 4;

/** The annotation of a run as small marks. `hasNote`: a note is a mark with the text as hint. */
export function AnnotationMarks({ annotation, hasNote = true }: { annotation: AnnotationResponse; hasNote?: boolean }) {
  const { rating, tags, note, isKept } = annotation;
  const rest = tags.length - MAX_VISIBLE_TAGS;
  return (
    <Group gap={6} className={classes.marks}>
      {rating === 'up' && <AnnotationIcon label="Rated thumbs up" icon={IconThumbUpFilled} />}
      {rating === 'down' && <AnnotationIcon label="Rated thumbs down" icon={IconThumbDownFilled} />}
      {isKept && <AnnotationIcon label="The clean-up keeps this run" icon={IconBookmarkFilled} />}
      {hasNote && note !== '' && <AnnotationIcon label={note} icon={IconNote} />}
      {tags.slice(0, MAX_VISIBLE_TAGS).map((tag) => (
        <Badge key={tag} size="sm" variant="light" color="gray" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
      {rest > 0 && (
        <LightTooltip label={tags.slice(MAX_VISIBLE_TAGS).join(', ')}>
          <Badge size="sm" variant="light" color="gray" tabIndex={0}>
            +{rest}
          </Badge>
        </LightTooltip>
      )}
    </Group>
  );
}

function AnnotationIcon({ label, icon: Shown }: { label: string; icon: Icon }) {
  return (
    <LightTooltip label={label}>
      <span role="img" aria-label={label} tabIndex={0} className={classes.mark}>
        <Shown size={15} aria-hidden />
      </span>
    </LightTooltip>
  );
}
