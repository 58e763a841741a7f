import { cut } from '../file';
import { quoted, stepped, atom } from '../javascript/code';
import { textOf } from '../conversion';
import type { Convert } from './flow';

const field = (name: string): string => stepped(atom('$item'), name).code;
/** A text of an element: an object, if the element has attributes. */
const plainField = (name: string): string =>
  `($type(${field(name)}) = "object" ? ${field(name)}.\`#text\` : ${field(name)})`;

/** The fields that n8n gives, from those of RSS or Atom. */
const FIELDS: Readonly<Record<string, string>> = {
  title: plainField('title'),
  link: `($type(${field('link')}) = "string" ? ${field('link')} : ${field('link')}.\`@href\`[0])`,
  content: `(${field('content:encoded')} ?? ${field('description')} ?? ${plainField('content')})`,
  creator: `(${field('dc:creator')} ?? ${field('author')}.name)`,
  guid: `(${plainField('guid')} ?? ${field('id')})`,
  pubDate: `(${field('pubDate')} ?? ${field('published')} ?? ${field('updated')})`,
  isoDate: `$parseDate(${field('pubDate')} ?? ${field('published')} ?? ${field('updated')})`,
};

const ITEMS = [
  '[$map($append(input.rss.channel.item, input.feed.entry), function($item) { $merge([$item, {',
  Object.entries(FIELDS)
    .map(([name, code]) => `${quoted(name)}: ${code}`)
    .join(', '),
  '}]) })]',
].join(' ');

/** A feed: a request, its XML as a value, and its items. */
const feed: Convert = (conversion) => {
  const { id, node, around, source } = conversion;
  if (source.isList)
    return conversion.placeholder('Put it into a for_each: an HTTP request, and a convert node for XML.');
  const [parseId, itemsId] = [around.idOf(`${id}_parse`), around.idOf(`${id}_items`)];
  const url = conversion.limited(textOf(node.parameters['url'], conversion.expressions(conversion.json)), 16_000);
  if (url === undefined) conversion.todo('Enter its address.');
  const { x, y } = node.position;
  const further = (own: string, index: number, type: string, config: Record<string, unknown>) => {
    const { retry: _, notes: __, ...made } = conversion.written(own, type, config);
    return { ...made, name: cut(`${node.name}: ${type}`, 200), position: { x: x + index * 120, y: y + index * 120 } };
  };
  const link = (from: string, to: string) => ({
    sourceNode: from,
    sourcePort: 'output',
    targetNode: to,
    targetPort: 'input',
  });
  return {
    nodes: [
      conversion.written(id, 'http_request', { url, responseType: 'text' }),
      further(parseId, 1, 'convert', { value: '{{ input.body }}', from: 'xml', to: 'json' }),
      further(itemsId, 2, 'transform', { expression: ITEMS }),
    ],
    connections: [link(id, parseId), link(parseId, itemsId)],
    entries: [id],
    outputs: [{ node: itemsId, port: 'output' }],
    failing: id,
    result: { path: '', code: `nodes.${itemsId}`, isList: true },
  };
};

export const FEEDS: Readonly<Record<string, Convert>> = { rssFeedRead: feed };
