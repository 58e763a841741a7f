import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { StatusBadge } from '@/components/ui/states/StatusBadge';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { useDraft } from '../draft/draft';
import { versionStatusStyle } from './version-history';
import classes from './VersionGroup.module.css';

interface VersionActions {
  onChoose(version: WorkflowVersion): void;
  /** Undefined: a rollback is in progress. */
  onRollBack: ((version: number) => void) | undefined;
}

/** A group of consecutive saves: the last one and, expanded, the earlier ones. */
export function VersionGroup({ versions, ...actions }: VersionActions & { versions: WorkflowVersion[] }) {
  const [isOpen, setOpen] = useState(false);
  const [head, ...earlier] = versions;
  if (!head) return null;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.group}>
      <VersionLine version={head} {...actions} />
      {earlier.length > 0 && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={14} aria-hidden />
          {earlier.length === 1 ? '1 earlier save' : `${earlier.length} earlier saves`}
        </UnstyledButton>
      )}
      {isOpen && (
        <div className={classes.earlier}>
          {earlier.map((version) => (
            <VersionLine key={version.version} version={version} {...actions} />
          ))}
        </div>
      )}
    </div>
  );
}

function VersionLine({ version, onChoose, onRollBack }: VersionActions & { version: WorkflowVersion }) {
  const saved = useDraft((draft) => draft.saved);
  const { version: number, createdAt, author, message, name, publishedAt } = version;
  const look = versionStatusStyle(number, saved);
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
        <LightTooltip label={`Roll back: triggers run version ${number} again`}>
          <ActionIcon
            size="lg"
            aria-label={`Roll back to version ${number}`}
            disabled={!onRollBack}
            onClick={() => onRollBack?.(number)}
          >
            <IconArrowBackUp size={18} aria-hidden />
          </ActionIcon>
        </LightTooltip>
      )}
    </div>
  );
}
