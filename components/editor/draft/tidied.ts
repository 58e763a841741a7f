import { notifications } from '@mantine/notifications';
import type { XYPosition } from '@xyflow/react';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '@/components/graph/flow';

/** A layout that takes longer is announced. */
const SOON_MS = 400;
const ID = 'tidy';

/**
 * The places of an automatic layout, whose code is loaded with the first one. `only`: the nodes to lay out. While a large workflow is laid
 * out, a message says so; undefined: it failed.
 */
export async function tidied(
  definition: Definition,
  catalogue: Catalogue,
  only: ReadonlySet<string> | undefined,
): Promise<ReadonlyMap<string, XYPosition> | undefined> {
  const timer = setTimeout(
    () =>
      notifications.show({ id: ID, loading: true, autoClose: false, withCloseButton: false, message: 'Tidying up …' }),
    SOON_MS,
  );
  try {
    const { layout } = await import('@/components/graph/layout/layout');
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
    notifications.hide(ID);
  }
}
