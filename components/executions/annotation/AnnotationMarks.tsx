import { Badge, Group } from '@mantine/core';
import { IconBookmarkFilled, IconNote, IconThumbDownFilled, IconThumbUpFilled, type Icon } from '@tabler/icons-react';
import type { Annotation } from '@/contract/annotation';
import { Hint } from '@/components/ui/Hint';
import classes from './AnnotationMarks.module.css';

const MOST_TAGS = 4;

/** The annotation of a run as small marks. `hasNote`: a note is a mark with the text as hint. */
export function AnnotationMarks({ annotation, hasNote = true }: { annotation: Annotation; hasNote?: boolean }) {
  const { rating, tags, note, isKept } = annotation;
  const rest = tags.length - MOST_TAGS;
  return (
    <Group gap={6} className={classes.marks}>
      {rating === 'up' && <Mark label="Rated thumbs up" icon={IconThumbUpFilled} />}
      {rating === 'down' && <Mark label="Rated thumbs down" icon={IconThumbDownFilled} />}
      {isKept && <Mark label="The clean-up keeps this run" icon={IconBookmarkFilled} />}
      {hasNote && note !== '' && <Mark label={note} icon={IconNote} />}
      {tags.slice(0, MOST_TAGS).map((tag) => (
        <Badge key={tag} size="sm" variant="light" color="gray" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
      {rest > 0 && (
        <Hint label={tags.slice(MOST_TAGS).join(', ')}>
          <Badge size="sm" variant="light" color="gray" tabIndex={0}>
            +{rest}
          </Badge>
        </Hint>
      )}
    </Group>
  );
}

function Mark({ label, icon: Shown }: { label: string; icon: Icon }) {
  return (
    <Hint label={label}>
      <span role="img" aria-label={label} tabIndex={0} className={classes.mark}>
        <Shown size={15} aria-hidden />
      </span>
    </Hint>
  );
}
