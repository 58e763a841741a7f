import { Button } from '@mantine/core';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { hasUnpublishedChanges, useDraft } from '../draft/draft';

/**
 * The way to what triggers run: a workflow that is not live goes live, and changes of a live one are published. Without
 * changes there is nothing to do.
 */
export function PublishButton({ onPublish }: { onPublish(): void }) {
  const isWaiting = useDraft(hasUnpublishedChanges);
  const { status, liveVersion } = useDraft((draft) => draft.saved);
  if (status === 'active' && !isWaiting) return null;
  const isLive = status === 'active';
  return (
    <LightTooltip
      label={
        isLive
          ? `The draft is not published. Triggers run version ${liveVersion}.`
          : 'Triggers start this workflow from then on. A dialog shows what is missing first.'
      }
    >
      <Button size="compact-sm" h={28} color={isLive ? 'weld' : 'verdigris'} variant="light" onClick={onPublish}>
        {isLive ? 'Publish …' : 'Go live …'}
      </Button>
    </LightTooltip>
  );
}
