import { Button } from '@mantine/core';
import { LightTooltip } from '@/components/ui/LightTooltip';
import { hasUnpublishedChanges, useDraft } from '../draft/draft';

/** Shown if triggers run another version than the one on the canvas. */
export function PublishButton({ onPublish }: { onPublish(): void }) {
  const isWaiting = useDraft(hasUnpublishedChanges);
  const live = useDraft((draft) => draft.saved.liveVersion);
  if (!isWaiting) return null;
  return (
    <LightTooltip label={`The draft is not published. Triggers run version ${live}.`}>
      <Button size="compact-sm" h={28} color="weld" variant="light" onClick={onPublish}>
        Publish …
      </Button>
    </LightTooltip>
  );
}
