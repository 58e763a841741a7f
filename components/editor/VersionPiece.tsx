import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { WorkflowVersion } from '@/contract/workflow';
import { Hint } from '../ui/Hint';
import { StatusBadge } from '../ui/StatusBadge';
import { TimeAgo } from '../ui/TimeAgo';
import { useDraft } from './draft';
import { lookOf } from './versions';
import classes from './VersionPiece.module.css';

interface Deeds {
  onChoose(version: WorkflowVersion): void;
  /** Undefined: something of this kind is under way. */
  onRollBack: ((version: number) => void) | undefined;
}

/** What a piece of work came to, and, on demand, the saves before that. */
export function VersionPiece({ versions, ...deeds }: Deeds & { versions: WorkflowVersion[] }) {
  const [isOpen, setOpen] = useState(false);
  const [head, ...earlier] = versions;
  if (!head) return null;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.piece}>
      <Line version={head} {...deeds} />
      {earlier.length > 0 && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={14} aria-hidden />
          {earlier.length === 1 ? 'One save before' : `${earlier.length} saves before`}
        </UnstyledButton>
      )}
      {isOpen && (
        <div className={classes.earlier}>
          {earlier.map((version) => (
            <Line key={version.version} version={version} {...deeds} />
          ))}
        </div>
      )}
    </div>
  );
}

function Line({ version, onChoose, onRollBack }: Deeds & { version: WorkflowVersion }) {
  const saved = useDraft((draft) => draft.saved);
  const { version: number, createdAt, author, message, name, publishedAt } = version;
  const look = lookOf(number, saved);
  const canRollBack = publishedAt !== null && number !== saved.liveVersion;
  return (
    <div className={classes.line}>
      <UnstyledButton className={classes.version} onClick={() => onChoose(version)}>
        <span className={classes.head}>
          <strong>Version {number}</strong>
          {look && <StatusBadge look={look} size="sm" />}
        </span>
        <span className={classes.about}>
          {message || name}
          {author && ` · ${author}`} · <TimeAgo at={createdAt} />
        </span>
      </UnstyledButton>
      {canRollBack && (
        <Hint label={`Roll back: triggers run version ${number} again`}>
          <ActionIcon
            size="lg"
            aria-label={`Roll back to version ${number}`}
            disabled={!onRollBack}
            onClick={() => onRollBack?.(number)}
          >
            <IconArrowBackUp size={18} aria-hidden />
          </ActionIcon>
        </Hint>
      )}
    </div>
  );
}
