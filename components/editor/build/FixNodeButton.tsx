import { Button } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import type { RunError } from '@/contract/execution';
import { useEditorActions } from '../commands/editor-actions';
import { canvasDefinition, useDraft } from '../draft/draft';

/** Characters of an error that the instruction quotes. */
const MAX_QUOTED_ERROR_CHARACTERS = 2000;

/** Lets a model correct a node that failed. The person sees what is sent, and can change it. */
export function FixNodeButton({ nodeId, error }: { nodeId: string; error: RunError | null | undefined }) {
  const { build } = useEditorActions();
  const name = useDraft((draft) => canvasDefinition(draft).nodes.find(({ id }) => id === nodeId)?.name);
  if (!build || !error) return null;
  const text = `The node “${name ?? nodeId}” (${nodeId}) failed with ${error.code}:\n${error.message.slice(0, MAX_QUOTED_ERROR_CHARACTERS)}\n\nFind the cause and correct the workflow.`;
  return (
    <Button
      variant="default"
      size="compact-sm"
      w="fit-content"
      leftSection={<IconSparkles size={14} aria-hidden />}
      onClick={() => build(text)}
    >
      Fix with AI
    </Button>
  );
}
