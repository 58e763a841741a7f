import type { ConvertedCall, NodeConversion, NodeConverter } from '../conversion';
import { shortNodeType } from '../starts/convert-trigger';
import { AI_NODE_CONVERTERS } from './ai';
import { convertFormerOpenAi } from './ai/former-open-ai';
import { findLoneToolConverter } from './ai/tools';
import { AWS_CONVERTERS } from './aws';
import { DATA_REQUEST_CONVERTERS } from './data-requests';
import { FEED_CONVERTERS } from './feeds';
import { HTTP_CONVERTERS } from './http';
import { MESSAGE_CONVERTERS } from './messages';
import { MONGO_CONVERTERS } from './mongodb';
import { REDIS_CONVERTERS } from './redis';
import { REQUEST_CONVERTERS } from './requests';
import { SERVER_CONVERTERS } from './servers';
import { SERVICE_CONVERTERS } from './services';
import { convertApify } from './services/apify';
import { SQL_CONVERTERS } from './sql';

/** How nodes that call something outside of the workflow are converted, by the short name of the type. */
export const CALL_CONVERTERS: Readonly<Record<string, NodeConverter>> = {
  ...HTTP_CONVERTERS,
  ...SQL_CONVERTERS,
  ...REDIS_CONVERTERS,
  ...MONGO_CONVERTERS,
  ...AWS_CONVERTERS,
  ...SERVER_CONVERTERS,
  ...MESSAGE_CONVERTERS,
  ...SERVICE_CONVERTERS,
  ...FEED_CONVERTERS,
  ...REQUEST_CONVERTERS,
  ...DATA_REQUEST_CONVERTERS,
  openAi: convertFormerOpenAi,
};

/** Packages of n8n itself: community packages may use the same names. */
const BASE_NODES_PREFIX = 'n8n-nodes-base.';
export const LANGCHAIN_PREFIX = '@n8n/n8n-nodes-langchain.';

/** Nodes of packages that services publish themselves. */
export const PACKAGE_CONVERTERS: ReadonlyMap<string, NodeConverter> = new Map([
  ['@apify/n8n-nodes-apify.apify', convertApify],
]);

/** The converter of a type that calls something outside of the workflow; undefined: it is none. */
export function findCallConverter(type: string): NodeConverter | undefined {
  const short = shortNodeType(type);
  if (type.startsWith(LANGCHAIN_PREFIX)) {
    const ask = Object.hasOwn(AI_NODE_CONVERTERS, short) ? AI_NODE_CONVERTERS[short] : undefined;
    return ask ? (conversion) => ask(conversion, convertCall) : findLoneToolConverter(short);
  }
  return type.startsWith(BASE_NODES_PREFIX) && Object.hasOwn(CALL_CONVERTERS, short)
    ? CALL_CONVERTERS[short]
    : PACKAGE_CONVERTERS.get(type);
}

/** What takes the place of a node whose type has no counterpart. */
export const describeMissingNode = (type: string): string =>
  type.startsWith(LANGCHAIN_PREFIX)
    ? `Weft has no ${shortNodeType(type)}: call its API with an HTTP request.`
    : `Weft has no node for ${shortNodeType(type)}: use a connector, an HTTP request or code.`;

/** Converts a node that calls something outside of the workflow. One without a counterpart passes its input on. */
export function convertCall(conversion: NodeConversion): ConvertedCall {
  const { type } = conversion.node;
  const convert = findCallConverter(type);
  return convert ? convert(conversion) : conversion.placeholder(describeMissingNode(type));
}
