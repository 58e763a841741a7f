import { notifications } from '@mantine/notifications';
import type { XYPosition } from '@xyflow/react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';

/** A notification announces a layout that takes longer than this. */
const TIDY_NOTICE_DELAY_MS = 400;
const TIDY_NOTICE_ID = 'tidy';

/**
 * The places of an automatic layout, whose code is loaded with the first one. `only`: the nodes to lay out. While a
 * large workflow is laid out, a message says so; undefined: it failed.
 */
export async function computeTidyLayout(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  only: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, XYPosition> | undefined> {
  const timer = setTimeout(
    () =>
      notifications.show({
        id: TIDY_NOTICE_ID,
        loading: true,
        autoClose: false,
        withCloseButton: false,
        message: 'Tidying up …',
      }),
    TIDY_NOTICE_DELAY_MS,
  );
  try {
    const { layOutDefinition: layout } = await import('@/components/graph/layout/layout');
    return await layout(definition, catalogue, only);
  } catch {
    notifications.show({
      color: 'madder',
      title: 'Not tidied up',
      message: 'The layout could not be computed. Try again, or select fewer nodes.',
    });
    return undefined;
  } finally {
    clearTimeout(timer);
    notifications.hide(TIDY_NOTICE_ID);
  }
}
