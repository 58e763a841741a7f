import { Button, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowVersion } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { TimeAgo } from '../ui/TimeAgo';
import { useDraft } from './draft';
import { VersionDialog } from './VersionDialog';
import { piecesOf } from './versions';
import classes from './VersionsPanel.module.css';

const PER_PAGE = 100;

/** What the workflow was before, newest first; saves in a row are folded into one. */
export function VersionsPanel({ catalogue }: { catalogue: Catalogue }) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const current = useDraft((draft) => draft.saved.version);
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<WorkflowVersion>();
  const queries = useQueries({
    queries: Array.from({ length: pages }, (_, page) =>
      trpc.versions.list.queryOptions({
        params: { id },
        query: { limit: String(PER_PAGE), offset: String(page * PER_PAGE) },
      }),
    ),
  });
  const failed = queries.find(({ error }) => error);
  if (failed)
    return (
      <FailureNote title="The versions can’t be shown" error={failed.error} onRetry={() => void failed.refetch()} />
    );
  const found = queries.flatMap(({ data }) => data?.data ?? []);
  if (found.length === 0) return <Skeleton h={160} />;
  // A page moves on when a new version comes before it.
  const versions = [...new Map(found.map((version) => [version.version, version])).values()];
  const total = queries[0]?.data?.total ?? 0;
  return (
    <Stack gap={6}>
      {piecesOf(versions).map((piece) => (
        <Piece key={piece.at(-1)?.version} versions={piece} current={current} onChoose={setChosen} />
      ))}
      {total > versions.length && (
        <Button
          variant="default"
          loading={queries.at(-1)?.isPending}
          onClick={() => setPages(pages + 1)}
        >{`Show older ones (${total - versions.length})`}</Button>
      )}
      {chosen && <VersionDialog version={chosen} catalogue={catalogue} onClose={() => setChosen(undefined)} />}
    </Stack>
  );
}

interface PieceProps {
  versions: WorkflowVersion[];
  current: number;
  onChoose(version: WorkflowVersion): void;
}

function Piece({ versions, current, onChoose }: PieceProps) {
  const [isOpen, setOpen] = useState(false);
  const [head, ...earlier] = versions;
  if (!head) return null;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.piece}>
      <Line version={head} isCurrent={head.version === current} onChoose={onChoose} />
      {earlier.length > 0 && (
        <UnstyledButton className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Chevron size={14} aria-hidden />
          {earlier.length === 1 ? 'One save before' : `${earlier.length} saves before`}
        </UnstyledButton>
      )}
      {isOpen && (
        <div className={classes.earlier}>
          {earlier.map((version) => (
            <Line key={version.version} version={version} isCurrent={false} onChoose={onChoose} />
          ))}
        </div>
      )}
    </div>
  );
}

interface LineProps {
  version: WorkflowVersion;
  isCurrent: boolean;
  onChoose(version: WorkflowVersion): void;
}

function Line({ version, isCurrent, onChoose }: LineProps) {
  const { version: number, createdAt, author, message, name } = version;
  return (
    <UnstyledButton className={classes.version} onClick={() => onChoose(version)}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600}>
          Version {number}
          {isCurrent && ' (current)'}
        </Text>
        <Text size="xs" c="dimmed">
          <TimeAgo at={createdAt} />
        </Text>
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {message || name}
        {author && ` · ${author}`}
      </Text>
    </UnstyledButton>
  );
}
