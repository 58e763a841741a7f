/** What people read for the ways in which the pages of a list follow each other. */
export const HTTP_PAGE_KIND_LABELS = {
  next_url: 'Each answer has the address of the next page',
  page: 'Number of the page in the query',
  offset: 'Number of the first item in the query',
  cursor: 'Each answer has a value for the next page',
  link: 'Link header',
};
