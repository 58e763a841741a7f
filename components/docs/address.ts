/** The address of a page of the documentation. */
export const documentationUrl = (path: string): string => (path ? `/docs/${path}` : '/docs');
