import { Button, Skeleton, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import type { Catalogue } from '@/components/graph/flow';
import { useTRPC } from '@/components/client/trpc';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { useDraft } from '../draft/draft';
import { PruneVersions } from './PruneVersions';
import { useRollBack } from './useRollBack';
import { VersionDialog } from './VersionDialog';
import { VersionGroup } from './VersionGroup';
import { groupSaves } from './versions';

const PER_PAGE = 100;
/** From this number of versions on, old ones can be removed. */
const MANY = 1000;

/** Version history, newest first; consecutive saves are grouped. */
export function VersionsPanel({ catalogue }: { catalogue: Catalogue }) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<WorkflowVersion>();
  const { rollBack, isPending } = useRollBack();
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
  const [newest] = found;
  if (!newest) return <Skeleton h={160} />;
  // Pages overlap after a new version shifts the offsets.
  const versions = [...new Map(found.map((version) => [version.version, version])).values()];
  const total = queries[0]?.data?.total ?? 0;
  return (
    <Stack gap={6}>
      {groupSaves(versions).map((group) => (
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
      {total >= MANY && <PruneVersions workflowId={id} before={newest.version - PER_PAGE} />}
      {chosen && <VersionDialog version={chosen} catalogue={catalogue} onClose={() => setChosen(undefined)} />}
    </Stack>
  );
}
