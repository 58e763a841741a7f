import { Button } from '@mantine/core';
import { Hint } from '../ui/Hint';
import { isUnpublished, useDraft } from './draft';

/** There where triggers run something else than what is drawn. */
export function PublishButton({ onPublish }: { onPublish(): void }) {
  const isWaiting = useDraft(isUnpublished);
  const live = useDraft((draft) => draft.saved.liveVersion);
  if (!isWaiting) return null;
  return (
    <Hint label={`What is drawn is not published: triggers run version ${live}`}>
      <Button size="compact-sm" h={28} color="weld" variant="light" onClick={onPublish}>
        Publish …
      </Button>
    </Hint>
  );
}
