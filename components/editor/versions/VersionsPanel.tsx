import { Button, Skeleton, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { useDraft } from '../draft/draft';
import { PruneVersionsButton } from './PruneVersionsButton';
import { useRollBackVersion } from './useRollBackVersion';
import { VersionDialog } from './VersionDialog';
import { VersionGroup } from './VersionGroup';
import { groupConsecutiveSaves } from './version-history';

const VERSION_PAGE_SIZE = 100;
/** Old versions can be removed if there are at least this many. */
const PRUNE_FROM_COUNT = 1000;

/** Version history, newest first; consecutive saves are grouped. */
export function VersionsPanel({ catalogue }: { catalogue: NodeTypesByName }) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<WorkflowVersion>();
  const { rollBack, isPending } = useRollBackVersion();
  const queries = useQueries({
    queries: Array.from({ length: pages }, (_, page) =>
      trpc.versions.list.queryOptions({
        params: { id },
        query: { limit: String(VERSION_PAGE_SIZE), offset: String(page * VERSION_PAGE_SIZE) },
      }),
    ),
  });
  const failed = queries.find(({ error }) => error);
  if (failed)
    return (
      <RequestErrorAlert
        title="The versions can’t be shown"
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    );
  const found = queries.flatMap(({ data }) => data?.data ?? []);
  const [newest] = found;
  if (!newest) return <Skeleton h={160} />;
  // Pages overlap after a new version shifts the offsets.
  const versions = [...new Map(found.map((version) => [version.version, version])).values()];
  const total = queries[0]?.data?.total ?? 0;
  return (
    <Stack gap={6}>
      {groupConsecutiveSaves(versions).map((group) => (
        <VersionGroup
          key={group.at(-1)?.version}
          versions={group}
          onChoose={setChosen}
          onRollBack={isPending ? undefined : rollBack}
        />
      ))}
      {total > versions.length && (
        <Button
          variant="default"
          loading={queries.at(-1)?.isPending}
          onClick={() => setPages(pages + 1)}
        >{`Show older versions (${total - versions.length})`}</Button>
      )}
      {total >= PRUNE_FROM_COUNT && <PruneVersionsButton workflowId={id} before={newest.version - VERSION_PAGE_SIZE} />}
      {chosen && <VersionDialog version={chosen} catalogue={catalogue} onClose={() => setChosen(undefined)} />}
    </Stack>
  );
}
