import NextLink from 'next/link';
import type { ComponentProps } from 'react';

/**
 * A link to another page of the web app. Without prefetch: it would get the route of the page, but neither its code nor
 * its data, so a click takes as long with it. Each link on the screen, such as each row of a list, would cost two
 * renders on the server.
 */
export const AppLink = (props: ComponentProps<typeof NextLink>) => <NextLink {...props} prefetch={false} />;
