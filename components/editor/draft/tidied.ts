import { notifications } from '@mantine/notifications';

/** A layout that takes longer is announced. */
const SOON_MS = 400;
const ID = 'tidy';

/** The places of a layout. While a large workflow is laid out, a message says so; undefined: it failed. */
export async function tidied<Places>(layout: Promise<Places>): Promise<Places | undefined> {
  const timer = setTimeout(
    () =>
      notifications.show({ id: ID, loading: true, autoClose: false, withCloseButton: false, message: 'Tidying up …' }),
    SOON_MS,
  );
  try {
    return await layout;
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
