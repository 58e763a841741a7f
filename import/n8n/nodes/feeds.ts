import { cutWellFormed } from '../file';
import { jsonataString, fieldAccess, atomicCode } from '../javascript/code';
import { parameterText } from '../conversion';
import type { NodeConverter } from './flow';

const feedItemField = (name: string): string => fieldAccess(atomicCode('$item'), name).code;
/** A text of an element: an object, if the element has attributes. */
const feedItemText = (name: string): string =>
  `($type(${feedItemField(name)}) = "object" ? ${feedItemField(name)}.\`#text\` : ${feedItemField(name)})`;

/** The fields that n8n gives, from those of RSS or Atom. */
const FEED_FIELDS: Readonly<Record<string, string>> = {
  title: feedItemText('title'),
  link: `($type(${feedItemField('link')}) = "string" ? ${feedItemField('link')} : ${feedItemField('link')}.\`@href\`[0])`,
  content: `(${feedItemField('content:encoded')} ?? ${feedItemField('description')} ?? ${feedItemText('content')})`,
  creator: `(${feedItemField('dc:creator')} ?? ${feedItemField('author')}.name)`,
  guid: `(${feedItemText('guid')} ?? ${feedItemField('id')})`,
  pubDate: `(${feedItemField('pubDate')} ?? ${feedItemField('published')} ?? ${feedItemField('updated')})`,
  isoDate: `$parseDate(${feedItemField('pubDate')} ?? ${feedItemField('published')} ?? ${feedItemField('updated')})`,
};

const FEED_ITEMS_CODE = [
  '[$map($append(input.rss.channel.item, input.feed.entry), function($item) { $merge([$item, {',
  Object.entries(FEED_FIELDS)
    .map(([name, code]) => `${jsonataString(name)}: ${code}`)
    .join(', '),
  '}]) })]',
].join(' ');

/** A feed: a request, its XML as a value, and its items. */
const convertFeedRead: NodeConverter = (conversion) => {
  const { id, node, context: around, source } = conversion;
  if (source.isList)
    return conversion.placeholder('Put it into a for_each: an HTTP request, and a convert node for XML.');
  const [parseId, itemsId] = [around.createId(`${id}_parse`), around.createId(`${id}_items`)];
  const url = conversion.limitText(
    parameterText(node.parameters['url'], conversion.expressions(conversion.json)),
    16_000,
  );
  if (url === undefined) conversion.addTodo('Enter its address.');
  const { x, y } = node.position;
  const further = (own: string, index: number, type: string, config: Record<string, unknown>) => {
    const { retry: _, notes: __, ...made } = conversion.createNode(own, type, config);
    return {
      ...made,
      name: cutWellFormed(`${node.name}: ${type}`, 200),
      position: { x: x + index * 120, y: y + index * 120 },
    };
  };
  const link = (from: string, to: string) => ({
    sourceNode: from,
    sourcePort: 'output',
    targetNode: to,
    targetPort: 'input',
  });
  return {
    nodes: [
      conversion.createNode(id, 'http_request', { url, responseType: 'text' }),
      further(parseId, 1, 'convert', { value: '{{ input.body }}', from: 'xml', to: 'json' }),
      further(itemsId, 2, 'transform', { expression: FEED_ITEMS_CODE }),
    ],
    connections: [link(id, parseId), link(parseId, itemsId)],
    entries: [id],
    outputs: [{ node: itemsId, port: 'output' }],
    failingNodeId: id,
    result: { path: '', code: `nodes.${itemsId}`, isList: true },
  };
};

export const FEED_CONVERTERS: Readonly<Record<string, NodeConverter>> = { rssFeedRead: convertFeedRead };
