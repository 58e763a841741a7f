import type { NodeConversion, ConvertedNodes } from '../conversion';
import { shortNodeType } from '../starts/convert-trigger';
import { AI_NODE_CONVERTERS } from './ai';
import { convertFormerOpenAi } from './ai/former-open-ai';
import { AWS_CONVERTERS } from './aws';
import { BRANCH_CONVERTERS } from './branches';
import { CODE_CONVERTERS } from './code';
import { DATA_CONVERTERS } from './data';
import { DATE_CONVERTERS } from './dates';
import { FEED_CONVERTERS } from './feeds';
import { FILE_CONVERTERS } from './files';
import { FLOW_CONVERTERS, type NodeConverter } from './flow';
import { HTTP_CONVERTERS } from './http';
import { LIST_CONVERTERS } from './lists';
import { MESSAGE_CONVERTERS } from './messages';
import { REDIS_CONVERTERS } from './redis';
import { SERVER_CONVERTERS } from './servers';
import { SERVICE_CONVERTERS } from './services';
import { SQL_CONVERTERS } from './sql';

/** How each type of n8n is converted, by the short name of the type. */
export const NODE_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  ...HTTP_CONVERTERS,
  ...FLOW_CONVERTERS,
  ...BRANCH_CONVERTERS,
  ...DATA_CONVERTERS,
  ...DATE_CONVERTERS,
  ...FILE_CONVERTERS,
  ...CODE_CONVERTERS,
  ...LIST_CONVERTERS,
  ...SQL_CONVERTERS,
  ...REDIS_CONVERTERS,
  ...AWS_CONVERTERS,
  ...SERVER_CONVERTERS,
  ...MESSAGE_CONVERTERS,
  ...SERVICE_CONVERTERS,
  ...FEED_CONVERTERS,
  openAi: convertFormerOpenAi,
};

/** Packages of n8n itself: community packages may use the same names. */
const BASE_NODES_PREFIX = 'n8n-nodes-base.';
const LANGCHAIN_PREFIX = '@n8n/n8n-nodes-langchain.';

/** The converter of a type; undefined: it has no counterpart. */
function findNodeConverter(type: string): NodeConverter | undefined {
  const short = shortNodeType(type);
  if (type.startsWith(LANGCHAIN_PREFIX)) {
    const ask = Object.hasOwn(AI_NODE_CONVERTERS, short) ? AI_NODE_CONVERTERS[short] : undefined;
    return ask && ((conversion) => ask(conversion, convertNode));
  }
  return type.startsWith(BASE_NODES_PREFIX) && Object.hasOwn(NODE_CONVERTERS, short)
    ? NODE_CONVERTERS[short]
    : undefined;
}

export const hasNodeConverter = (type: string): boolean => findNodeConverter(type) !== undefined;

/** What takes the place of a node whose type has no counterpart. */
export const describeMissingNode = (type: string): string =>
  type.startsWith(LANGCHAIN_PREFIX)
    ? `Weft has no ${shortNodeType(type)}: call its API with an HTTP request.`
    : `Weft has no node for ${shortNodeType(type)}: use a connector, an HTTP request or code.`;

/** Converts a node. One without a counterpart passes its input on. */
export function convertNode(conversion: NodeConversion): ConvertedNodes {
  const { type } = conversion.node;
  const convert = findNodeConverter(type);
  return convert ? convert(conversion) : conversion.placeholder(describeMissingNode(type));
}
