import type { ConnectorChoiceSource, OperationChoiceSource } from '../../choices';

const searched = (
  operation: string,
  paths: Pick<OperationChoiceSource, 'label' | 'hint' | 'parameters'>,
): OperationChoiceSource => ({
  operation,
  ...paths,
  parameters: { limit: 100, ...paths.parameters },
  value: 'id',
  search: 'search',
});

/** What lists the choices of WordPress. https://developer.wordpress.org/rest-api/reference/ */
export const wordpressChoices: Record<string, ConnectorChoiceSource> = {
  posts: searched('posts.list', { label: ['title.rendered', 'slug'], hint: 'status' }),
  pages: searched('pages.list', { label: ['title.rendered', 'slug'], hint: 'status' }),
  categories: searched('categories.list', { label: ['name'], hint: 'slug' }),
  tags: searched('tags.list', { label: ['name'], hint: 'slug' }),
  users: searched('users.list', { label: ['name'], hint: 'slug' }),
  pictures: searched('media.list', {
    parameters: { kind: 'image' },
    label: ['title.rendered', 'source_url'],
    hint: 'source_url',
  }),
};
