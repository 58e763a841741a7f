import { HOST_RULE, hostName, type Connector } from '../../connector';
import { stepped, type Paging } from '../../operation';
import { choice, count, file, flag, text, word, words } from '../../parameters';

// https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/
const paging: Paging = { kind: 'link' };
const post = count('Post', 2 ** 31).describe('Id of the post');
const status = choice('Status', ['publish', 'draft', 'pending', 'private', 'future']);
const limit = count('Items a page', 100).optional().describe('At most 100; default 10');
const names = { limit: 'per_page', image: 'featured_media' };
const content = {
  content: text('Content', 1_000_000).optional().describe('HTML'),
  excerpt: text('Excerpt', 10_000).optional().describe('Short text'),
  slug: word('Address', 200).optional().describe('The end of its address'),
  categories: words('Categories').optional().describe('Ids of categories'),
  tags: words('Tags').optional().describe('Ids of tags'),
  image: count('Picture', 2 ** 31)
    .optional()
    .describe('Id of an uploaded picture'),
  date: word('Date', 64).optional().describe('ISO 8601; with the status future it is published then'),
};
const limits = 'Those of the server that it runs on.';
const one = {
  id: 42,
  date: '2026-01-31T08:15:30',
  slug: 'hello',
  status: 'publish',
  link: 'https://example.com/hello/',
  title: { rendered: 'Hello' },
};

export const wordpress: Connector = {
  id: 'wordpress',
  name: 'WordPress',
  description: 'Posts, pages, media and comments.',
  synonyms: ['blog', 'cms', 'website', 'post', 'page'],
  flow: 'token',
  apiUrl: 'https://{host}/wp-json/wp/v2',
  scopes: {},
  parameters: [
    { name: 'host', title: 'Host', hint: 'e.g. blog.example.com', required: true, pattern: hostName, rule: HOST_RULE },
  ],
  token: {
    title: 'Application password',
    setup:
      'In WordPress open "Users" > "Profile" > "Application Passwords", enter a name, and copy the password. The site must use https.',
    fields: [
      {
        name: 'username',
        title: 'User name',
        hint: 'Of the WordPress user',
        isSecret: false,
        pattern: /^[^\s:][^:\r\n]{0,100}$/,
        rule: 'must be a user name without a colon',
      },
      {
        name: 'token',
        title: 'Application password',
        hint: 'Six groups of four characters',
        isSecret: true,
        pattern: /^[A-Za-z0-9 ]{10,100}$/,
        rule: 'must be an application password',
      },
    ],
    basic: { username: '{username}', password: '{token}' },
  },
  setup: 'Nothing has to be registered: a user has application passwords.',
  probe: { path: '/users/me' },
  operations: [
    {
      id: 'posts.list',
      title: 'List posts',
      help: 'Newest first.',
      limits,
      method: 'GET',
      path: '/posts',
      inQuery: {
        search: word('Text', 500).optional().describe('Only posts that contain it'),
        status: status.optional().describe('Default publish'),
        after: word('After', 64).optional().describe('Published after this time, ISO 8601'),
        limit,
      },
      names,
      items: '',
      paging,
      example: [one],
      poll: {
        title: 'New post',
        words: 'wordpress trigger post published blog',
        parameters: { limit: 100 },
        items: 'input.body',
        key: 'item.id',
      },
    },
    {
      id: 'posts.get',
      title: 'Get a post',
      help: 'With its content.',
      limits,
      method: 'GET',
      path: '/posts/{post}',
      inPath: { post },
      example: one,
    },
    {
      id: 'posts.create',
      title: 'Create a post',
      help: 'A draft, unless it is published.',
      limits,
      method: 'POST',
      path: '/posts',
      inBody: {
        title: word('Title', 500).describe('One line'),
        status: status.optional().describe('Default draft'),
        ...content,
      },
      names,
      example: one,
    },
    {
      id: 'posts.update',
      title: 'Update a post',
      help: 'Changes what is given.',
      limits,
      method: 'POST',
      path: '/posts/{post}',
      inPath: { post },
      inBody: {
        title: word('Title', 500).optional().describe('One line'),
        status: status.optional().describe('The new status'),
        ...content,
      },
      names,
      example: one,
    },
    {
      id: 'posts.delete',
      title: 'Delete a post',
      help: 'Moves it to the trash.',
      limits,
      method: 'DELETE',
      path: '/posts/{post}',
      inPath: { post },
      inQuery: { isForced: flag('For good').optional().describe('Without the trash') },
      names: { isForced: 'force' },
      example: { ...one, status: 'trash' },
    },
    stepped({
      id: 'media.upload',
      title: 'Upload a file',
      help: 'A picture or another file of the run.',
      limits,
      parameters: { file: file('File') },
      *steps({ file: sent }) {
        const name = encodeURIComponent(sent.name).replaceAll(/['()*]/g, '_');
        const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${name}` };
        return (yield { method: 'POST', path: '/media', headers, body: { as: 'file', file: sent } }).body;
      },
      example: { id: 7, source_url: 'https://example.com/wp-content/uploads/photo.jpg' },
    }),
    {
      id: 'pages.create',
      title: 'Create a page',
      help: 'A draft, unless it is published.',
      limits,
      method: 'POST',
      path: '/pages',
      inBody: {
        title: word('Title', 500).describe('One line'),
        status: status.optional().describe('Default draft'),
        content: content.content,
      },
      example: one,
    },
    {
      id: 'comments.list',
      title: 'List comments',
      help: 'Newest first.',
      limits,
      method: 'GET',
      path: '/comments',
      inQuery: { post: post.optional(), limit },
      names,
      items: '',
      paging,
      example: [{ id: 3, post: 42, author_name: 'Ada', content: { rendered: '<p>Nice</p>' } }],
    },
    {
      id: 'categories.list',
      title: 'List categories',
      help: 'With their ids.',
      limits,
      method: 'GET',
      path: '/categories',
      inQuery: { limit },
      names,
      items: '',
      paging,
      example: [{ id: 1, name: 'News', slug: 'news' }],
    },
  ],
};
