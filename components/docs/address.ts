/** The address of a page of the documentation. */
export const addressOf = (path: string): string => (path ? `/docs/${path}` : '/docs');
