import type { Conversion, Piece } from '../conversion';
import { shortType } from '../starts/starts';
import { AI } from './ai';
import { formerOpenAi } from './ai/former';
import { AWS } from './aws';
import { CODE } from './code';
import { DATA } from './data';
import { DATES } from './dates';
import { FEEDS } from './feeds';
import { FILE_NODES } from './files';
import { FLOW, type Convert } from './flow';
import { HTTP } from './http';
import { LISTS } from './lists';
import { MESSAGES } from './messages';
import { REDIS } from './redis';
import { SERVERS } from './servers';
import { SERVICES } from './services';
import { SQL } from './sql';

/** How each type of n8n is converted, by the short name of the type. */
export const CONVERSIONS: Readonly<Record<string, Convert>> = {
  ...HTTP,
  ...FLOW,
  ...DATA,
  ...DATES,
  ...FILE_NODES,
  ...CODE,
  ...LISTS,
  ...SQL,
  ...REDIS,
  ...AWS,
  ...SERVERS,
  ...MESSAGES,
  ...SERVICES,
  ...FEEDS,
  openAi: formerOpenAi,
};

/** Packages of n8n itself: community packages may use the same names. */
const NODES = 'n8n-nodes-base.';
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';

/** Converts a node. One without a counterpart passes its input on. */
export function convertNode(conversion: Conversion): Piece {
  const { type } = conversion.node;
  const short = shortType(type);
  if (type.startsWith(LANGCHAIN)) {
    const ask = Object.hasOwn(AI, short) ? AI[short] : undefined;
    return ask
      ? ask(conversion, convertNode)
      : conversion.placeholder(`Weft has no ${short}: call its API with an HTTP request.`);
  }
  const convert = type.startsWith(NODES) && Object.hasOwn(CONVERSIONS, short) ? CONVERSIONS[short] : undefined;
  if (convert) return convert(conversion);
  return conversion.placeholder(`Weft has no node for ${short}: use a connector, an HTTP request or code.`);
}
