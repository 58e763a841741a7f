import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type ApiRequest, type ApiResponse, type OperationDefinition } from '../../operation';
import { jsonListParameter, jsonObjectParameter, listedLineParameter, multilineParameter } from '../../parameters';
import {
  notionBlockId,
  notionPageSize,
  notionQueryPaging,
  notionRateLimit,
  toNotionParagraph,
  toNotionParagraphs,
  toNotionText,
} from './notion-parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

const notionCommentExample = { object: 'comment', id: '94cc56ab', rich_text: [{ plain_text: 'Done' }] };
const notionUserExample = {
  object: 'user',
  id: 'e79a0b74',
  name: 'Ada',
  type: 'person',
  person: { email: 'ada@example.com' },
};

/** Blocks inside of blocks are read to this depth. */
const MAX_BLOCK_DEPTH = 5;
/** Requests for one text: the operation as a whole may make 200. */
const MAX_BLOCK_REQUESTS = 150;

interface NotionBlock {
  id?: string;
  type?: string;
  has_children?: boolean;
}

/** The text of a block, without what is inside of it. */
function notionBlockText(block: NotionBlock): string {
  const parts = getAtPath(block, `${block.type}.rich_text`);
  return (Array.isArray(parts) ? (parts as unknown[]) : [])
    .map((part) => String(getAtPath(part, 'plain_text') ?? ''))
    .join('');
}

/** Reads a block and what is inside of it as lines, indented by their depth. */
function* readBlockLines(
  block: string,
  depth: number,
  left: { requests: number },
): Generator<ApiRequest, string[], ApiResponse> {
  const lines: string[] = [];
  let cursor: unknown;
  do {
    left.requests -= 1;
    if (left.requests < 0)
      throw new NodeFailure('TOO_LARGE', `The page takes more than ${MAX_BLOCK_REQUESTS} requests.`, false);
    const query = { page_size: 100, start_cursor: cursor };
    const { body } = yield { path: `/blocks/${encodeURIComponent(block)}/children`, query };
    const blocks = getAtPath(body, 'results');
    for (const one of Array.isArray(blocks) ? (blocks as NotionBlock[]) : []) {
      const text = notionBlockText(one);
      if (text !== '') lines.push(`${'  '.repeat(depth)}${text}`);
      const isOther = one.type === 'child_page' || one.type === 'child_database';
      if (one.has_children === true && one.id !== undefined && !isOther && depth < MAX_BLOCK_DEPTH)
        lines.push(...(yield* readBlockLines(one.id, depth + 1, left)));
    }
    cursor = getAtPath(body, 'has_more') === true ? getAtPath(body, 'next_cursor') : undefined;
  } while (typeof cursor === 'string');
  return lines;
}

/** Operations of Notion with blocks, comments and users. https://developers.notion.com/reference */
export const notionBlockOperations: OperationDefinition[] = [
  {
    id: 'blocks.list',
    title: 'List the blocks of a page',
    help: 'The content of a page or block, without what is inside of its blocks.',
    limits: notionRateLimit,
    method: 'GET',
    path: '/blocks/{block}/children',
    inPath: { block: notionBlockId },
    inQuery: { limit: notionPageSize },
    names: { limit: 'page_size' },
    items: 'results',
    paging: notionQueryPaging,
    example: { object: 'list', results: [{ id: 'c02fc1d3', ...toNotionParagraph('Hello') }], next_cursor: null },
  },
  {
    id: 'blocks.append',
    title: 'Append blocks to a page',
    help: 'Adds blocks at the end, at most 100 in a call.',
    limits: notionRateLimit,
    method: 'PATCH',
    path: '/blocks/{block}/children',
    inPath: { block: notionBlockId },
    inBody: { children: jsonListParameter('Blocks', 100).describe('Blocks as JSON') },
    example: { object: 'list', results: [{ id: 'c02fc1d3', ...toNotionParagraph('Hello') }] },
  },
  defineSteppedOperation({
    id: 'blocks.append_text',
    title: 'Append a text to a page',
    help: 'Adds each line of a text as a paragraph.',
    limits: notionRateLimit,
    parameters: { block: notionBlockId, text: multilineParameter('Text', 100_000).describe('Plain text') },
    *steps({ block: of, text: content }) {
      const all = toNotionParagraphs(content);
      let body: unknown = null;
      for (let from = 0; from < all.length; from += 100) {
        const value = { children: all.slice(from, from + 100) };
        const path = `/blocks/${encodeURIComponent(of)}/children`;
        body = (yield { method: 'PATCH', path, body: { as: 'json', value } }).body;
      }
      return body;
    },
    example: { object: 'list', results: [{ id: 'c02fc1d3', ...toNotionParagraph('Hello') }] },
  }),
  {
    id: 'blocks.delete',
    title: 'Delete a block',
    help: 'Moves a block or page to the trash.',
    limits: notionRateLimit,
    method: 'DELETE',
    path: '/blocks/{block}',
    inPath: { block: notionBlockId },
    example: { object: 'block', id: 'c02fc1d3', archived: true },
  },
  defineSteppedOperation({
    id: 'blocks.get_text',
    title: 'Get the text of a page',
    help: 'The text of its blocks as lines, also of those inside of others, to a depth of five; without pages below it.',
    limits: notionRateLimit,
    parameters: { block: notionBlockId },
    *steps({ block }) {
      const lines = yield* readBlockLines(block, 0, { requests: MAX_BLOCK_REQUESTS });
      return { text: lines.join('\n') };
    },
    example: { text: 'Groceries\n  Milk' },
  }),
  {
    id: 'blocks.get',
    title: 'Get a block',
    help: 'Its type and text, without what is inside of it.',
    limits: notionRateLimit,
    method: 'GET',
    path: '/blocks/{block}',
    inPath: { block: notionBlockId },
    example: { id: 'c02fc1d3', ...toNotionParagraph('Hello'), has_children: false },
  },
  {
    id: 'blocks.update',
    title: 'Change a block',
    help: 'Replaces its text; its type stays.',
    limits: notionRateLimit,
    method: 'PATCH',
    path: '/blocks/{block}',
    inPath: { block: notionBlockId },
    inBody: {
      content: jsonObjectParameter('Block').describe(
        'As JSON, e.g. {"paragraph": {"rich_text": [{"text": {"content": "Hello"}}]}}',
      ),
    },
    wholeBody: 'content',
    example: { id: 'c02fc1d3', ...toNotionParagraph('Hello') },
  },
  {
    id: 'comments.list',
    title: 'List comments of a page or block',
    help: 'Open ones, oldest first. The integration needs the capability to read comments.',
    limits: notionRateLimit,
    method: 'GET',
    path: '/comments',
    inQuery: { block: notionBlockId, limit: notionPageSize },
    names: { block: 'block_id', limit: 'page_size' },
    items: 'results',
    paging: notionQueryPaging,
    example: { object: 'list', results: [notionCommentExample], next_cursor: null },
    poll: {
      title: 'New comment on a page',
      words: 'notion trigger comment discussion',
      parameters: { allPages: true },
      items: 'input.body',
      key: 'item.id',
    },
  },
  defineSteppedOperation({
    id: 'comments.create',
    title: 'Comment on a page',
    help: 'The integration needs the capability to insert comments.',
    limits: notionRateLimit,
    parameters: {
      page: listedLineParameter('Page', 'pages').optional().describe('Id of the page, if there is no parent'),
      text: multilineParameter('Text', 100_000).optional().describe('Plain text'),
      parent: jsonObjectParameter('Parent').optional().describe('As JSON: {"page_id": "…"}, in place of the page'),
      richText: jsonListParameter('Formatted text', 100)
        .optional()
        .describe('As JSON: [{"text": {"content": "Done"}}], in place of the text'),
    },
    *steps({ page, text = '', parent, richText = toNotionText(text) }) {
      if (page === undefined && parent === undefined)
        throw new NodeFailure('CONFIG', 'parameters.page: a comment needs a page or a parent.', false);
      if (richText.length === 0) throw new NodeFailure('CONFIG', 'parameters.text: a comment needs a text.', false);
      const value = { parent: parent ?? { page_id: page }, rich_text: richText };
      return (yield { method: 'POST', path: '/comments', body: { as: 'json', value } }).body;
    },
    example: notionCommentExample,
  }),
  {
    id: 'users.list',
    title: 'List users',
    help: 'Members of the workspace and integrations.',
    limits: notionRateLimit,
    method: 'GET',
    path: '/users',
    inQuery: { limit: notionPageSize },
    names: { limit: 'page_size' },
    items: 'results',
    paging: notionQueryPaging,
    example: {
      object: 'list',
      results: [notionUserExample],
      next_cursor: null,
    },
  },
  {
    id: 'users.get',
    title: 'Get a user',
    help: 'A member of the workspace or an integration.',
    limits: notionRateLimit,
    method: 'GET',
    path: '/users/{user}',
    inPath: { user: listedLineParameter('User', 'users').describe('Id of the user') },
    example: notionUserExample,
  },
  {
    id: 'users.get_own',
    title: 'Get the own integration',
    help: 'Whose secret it is, and in which workspace.',
    limits: notionRateLimit,
    method: 'GET',
    path: '/users/me',
    example: { object: 'user', id: 'e79a0b74', name: 'Weft', type: 'bot' },
  },
];
