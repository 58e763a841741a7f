import { Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { Panel } from '@xyflow/react';
import { useState } from 'react';
import type { InvalidDraftSummary } from '@/contract/workflows/invalid-draft';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { TimeAgo } from '@/components/ui/values/TimeAgo';
import { changeDefinition, useDraft, useDraftStore } from './draft';

/**
 * A notice over the canvas that other people have changes that are not saved because of errors. It can show them on the
 * canvas.
 */
export function OthersDraftNotices({ drafts }: { drafts: InvalidDraftSummary[] }) {
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const draft = drafts.find(({ userId }) => !hidden.includes(userId));
  return (
    draft && (
      <Panel position="bottom-center">
        <OthersDraftNotice key={draft.userId} draft={draft} onClose={() => setHidden([...hidden, draft.userId])} />
      </Panel>
    )
  );
}

function OthersDraftNotice({ draft, onClose }: { draft: InvalidDraftSummary; onClose(): void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const { id, version } = useDraft(({ saved }) => saved);
  const { userId, userName } = draft;
  const show = useMutation({
    mutationFn: () =>
      queryClient.fetchQuery(trpc.invalidDrafts.get.queryOptions({ params: { id, userId } }, { staleTime: 0 })),
    onSuccess: ({ definition, name }) => {
      store.set({ ...changeDefinition(store.get(), definition), name, path: [], selectedIds: [] });
      notifications.show({
        title: `Changes of ${userName} are shown`,
        message: 'Undo restores what was shown before.',
      });
      onClose();
    },
    onError: (error) =>
      notifications.show({ color: 'madder', title: 'The changes can’t be shown', message: apiErrorSentence(error) }),
  });
  return (
    <Paper
      withBorder
      shadow="md"
      px="sm"
      py={8}
      maw="min(480px, calc(100vw - 32px))"
      component="section"
      aria-label="Changes of another person"
    >
      <Group gap="sm" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{userName}</b> has changes with errors, which are not saved as a version (<TimeAgo at={draft.updatedAt} />
          ).{draft.version === version ? '' : ' They are based on an older version.'}
        </Text>
        <Button size="compact-sm" variant="default" flex="none" loading={show.isPending} onClick={() => show.mutate()}>
          Show
        </Button>
        <CloseButton size="sm" aria-label="Hide" onClick={onClose} />
      </Group>
    </Paper>
  );
}
