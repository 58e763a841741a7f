import { Button, Skeleton, Stack } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowVersion } from '@/contract/workflow';
import type { Catalogue } from '../canvas/flow';
import { useTRPC } from '../client/trpc';
import { FailureNote } from '../ui/FailureNote';
import { useDraft } from './draft';
import { useRollBack } from './useRollBack';
import { VersionDialog } from './VersionDialog';
import { VersionPiece } from './VersionPiece';
import { piecesOf } from './versions';

const PER_PAGE = 100;

/** What the workflow was before, newest first; saves in a row are folded into one. */
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
  if (found.length === 0) return <Skeleton h={160} />;
  // A page moves on when a new version comes before it.
  const versions = [...new Map(found.map((version) => [version.version, version])).values()];
  const total = queries[0]?.data?.total ?? 0;
  return (
    <Stack gap={6}>
      {piecesOf(versions).map((piece) => (
        <VersionPiece
          key={piece.at(-1)?.version}
          versions={piece}
          onChoose={setChosen}
          onRollBack={isPending ? undefined : rollBack}
        />
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
