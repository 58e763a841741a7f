import { HOST_NAME_RULE, HOST_NAME_PATTERN, type ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type ConnectorPaging } from '../../operation';
import {
  booleanParameter,
  choiceParameter,
  contentLineParameter,
  countParameter,
  fileParameter,
  listedLineListParameter,
  listedParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { wordpressChoices } from './wordpress-choices';

// https://developer.wordpress.org/rest-api/using-the-rest-api/pagination/
const wordpressLinkPaging: ConnectorPaging = { kind: 'link' };
const wordpressPostId = listedParameter(countParameter('Post', 2 ** 31), 'posts').describe('Id of the post');
const postStatusChoice = choiceParameter('Status', ['publish', 'draft', 'pending', 'private', 'future']);
const wordpressPageSize = countParameter('Items a page', 100).optional().describe('At most 100; default 10');
const wordpressSearch = {
  search: valueLineParameter('Text', 'search', 500).optional().describe('Only those that contain it'),
  limit: wordpressPageSize,
};
const wordpressParameterNames = { limit: 'per_page', image: 'featured_media' };
const postContentFields = {
  content: multilineParameter('Content', 1_000_000).optional().describe('HTML'),
  excerpt: multilineParameter('Excerpt', 10_000).optional().describe('Short text'),
  slug: valueLineParameter('Address', 'new name', 200).optional().describe('The end of its address'),
  categories: listedLineListParameter('Categories', 'categories').optional().describe('Ids of categories'),
  tags: listedLineListParameter('Tags', 'tags').optional().describe('Ids of tags'),
  image: listedParameter(countParameter('Picture', 2 ** 31), 'pictures')
    .optional()
    .describe('Id of an uploaded picture'),
  author: listedParameter(countParameter('Author', 2 ** 31), 'users')
    .optional()
    .describe('Id of a user; default: whose password it is'),
  date: valueLineParameter('Date', 'quantity', 64)
    .optional()
    .describe('ISO 8601; with the status future it is published then'),
};
const wordpressRateLimit = 'Those of the server that it runs on.';
const wordpressPostExample = {
  id: 42,
  date: '2026-01-31T08:15:30',
  slug: 'hello',
  status: 'publish',
  link: 'https://example.com/hello/',
  title: { rendered: 'Hello' },
};

export const wordpressConnector: ConnectorDefinition = {
  id: 'wordpress',
  name: 'WordPress',
  description: 'Posts, pages, media and comments.',
  synonyms: ['blog', 'cms', 'website', 'post', 'page'],
  flow: 'token',
  apiUrl: 'https://{host}/wp-json/wp/v2',
  scopes: {},
  parameters: [
    {
      name: 'host',
      title: 'Host',
      hint: 'e.g. blog.example.com',
      required: true,
      pattern: HOST_NAME_PATTERN,
      rule: HOST_NAME_RULE,
    },
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
  choices: wordpressChoices,
  operations: [
    {
      id: 'posts.list',
      title: 'List posts',
      help: 'Newest first.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/posts',
      inQuery: {
        search: valueLineParameter('Text', 'search', 500).optional().describe('Only posts that contain it'),
        status: postStatusChoice.optional().describe('Default publish'),
        after: valueLineParameter('After', 'quantity', 64).optional().describe('Published after this time, ISO 8601'),
        limit: wordpressPageSize,
      },
      names: wordpressParameterNames,
      items: '',
      paging: wordpressLinkPaging,
      example: [wordpressPostExample],
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
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/posts/{post}',
      inPath: { post: wordpressPostId },
      example: wordpressPostExample,
    },
    {
      id: 'posts.create',
      title: 'Create a post',
      help: 'A draft, unless it is published.',
      limits: wordpressRateLimit,
      method: 'POST',
      path: '/posts',
      inBody: {
        title: contentLineParameter('Title', 500).describe('One line'),
        status: postStatusChoice.optional().describe('Default draft'),
        ...postContentFields,
      },
      names: wordpressParameterNames,
      example: wordpressPostExample,
    },
    {
      id: 'posts.update',
      title: 'Update a post',
      help: 'Changes what is given.',
      limits: wordpressRateLimit,
      method: 'POST',
      path: '/posts/{post}',
      inPath: { post: wordpressPostId },
      inBody: {
        title: contentLineParameter('Title', 500).optional().describe('One line'),
        status: postStatusChoice.optional().describe('The new status'),
        ...postContentFields,
      },
      names: wordpressParameterNames,
      example: wordpressPostExample,
    },
    {
      id: 'posts.delete',
      title: 'Delete a post',
      help: 'Moves it to the trash.',
      limits: wordpressRateLimit,
      method: 'DELETE',
      path: '/posts/{post}',
      inPath: { post: wordpressPostId },
      inQuery: { isForced: booleanParameter('For good').optional().describe('Without the trash') },
      names: { isForced: 'force' },
      example: { ...wordpressPostExample, status: 'trash' },
    },
    defineSteppedOperation({
      id: 'media.upload',
      title: 'Upload a file',
      help: 'A picture or another file of the run.',
      limits: wordpressRateLimit,
      parameters: { file: fileParameter('File') },
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
      limits: wordpressRateLimit,
      method: 'POST',
      path: '/pages',
      inBody: {
        title: contentLineParameter('Title', 500).describe('One line'),
        status: postStatusChoice.optional().describe('Default draft'),
        content: postContentFields.content,
        parent: listedParameter(countParameter('Parent', 2 ** 31), 'pages')
          .optional()
          .describe('Id of the page above'),
      },
      example: wordpressPostExample,
    },
    {
      id: 'comments.list',
      title: 'List comments',
      help: 'Newest first.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/comments',
      inQuery: { post: wordpressPostId.optional(), limit: wordpressPageSize },
      names: wordpressParameterNames,
      items: '',
      paging: wordpressLinkPaging,
      example: [{ id: 3, post: 42, author_name: 'Ada', content: { rendered: '<p>Nice</p>' } }],
    },
    {
      id: 'categories.list',
      title: 'List categories',
      help: 'With their ids.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/categories',
      inQuery: wordpressSearch,
      names: wordpressParameterNames,
      items: '',
      paging: wordpressLinkPaging,
      example: [{ id: 1, name: 'News', slug: 'news' }],
    },
    {
      id: 'tags.list',
      title: 'List tags',
      help: 'With their ids.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/tags',
      inQuery: wordpressSearch,
      names: wordpressParameterNames,
      items: '',
      paging: wordpressLinkPaging,
      example: [{ id: 5, name: 'Release', slug: 'release' }],
    },
    {
      id: 'users.list',
      title: 'List users',
      help: 'Who has published something; all of them for whoever may list users.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/users',
      inQuery: wordpressSearch,
      names: wordpressParameterNames,
      items: '',
      paging: wordpressLinkPaging,
      example: [{ id: 2, name: 'Ada Lovelace', slug: 'ada' }],
    },
    {
      id: 'pages.list',
      title: 'List pages',
      help: 'Newest first.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/pages',
      inQuery: wordpressSearch,
      names: wordpressParameterNames,
      items: '',
      paging: wordpressLinkPaging,
      example: [{ ...wordpressPostExample, id: 8, title: { rendered: 'About us' } }],
    },
    {
      id: 'media.list',
      title: 'List files',
      help: 'Pictures and other files, newest first.',
      limits: wordpressRateLimit,
      method: 'GET',
      path: '/media',
      inQuery: {
        ...wordpressSearch,
        kind: choiceParameter('Kind', ['image', 'video', 'text', 'application', 'audio'])
          .optional()
          .describe('Only files of this kind'),
      },
      names: { ...wordpressParameterNames, kind: 'media_type' },
      items: '',
      paging: wordpressLinkPaging,
      example: [
        { id: 7, title: { rendered: 'Photo' }, source_url: 'https://example.com/wp-content/uploads/photo.jpg' },
      ],
    },
  ],
};
