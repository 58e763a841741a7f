import type { Conversion, Piece } from '../conversion';
import { shortType } from '../starts';
import { CODE } from './code';
import { DATA } from './data';
import { FILE_NODES } from './files';
import { FLOW, type Convert } from './flow';
import { HTTP } from './http';
import { LISTS } from './lists';
import { MESSAGES } from './messages';
import { SERVICES } from './services';
import { SQL } from './sql';

/** How each type of n8n is converted, by the short name of the type. */
export const CONVERSIONS: Readonly<Record<string, Convert>> = {
  ...HTTP,
  ...FLOW,
  ...DATA,
  ...FILE_NODES,
  ...CODE,
  ...LISTS,
  ...SQL,
  ...MESSAGES,
  ...SERVICES,
};

/** Whether the type is one of n8n's own, whose names community packages may use, too. */
const isOwn = (type: string) => type.startsWith('n8n-nodes-base.');

/** Converts a node. One without a counterpart passes its input on. */
export function convertNode(conversion: Conversion): Piece {
  const { type } = conversion.node;
  const short = shortType(type);
  const convert = isOwn(type) && Object.hasOwn(CONVERSIONS, short) ? CONVERSIONS[short] : undefined;
  if (convert) return convert(conversion);
  const isAi = type.includes('langchain');
  return conversion.placeholder(
    isAi
      ? `Weft has no ${short}: call the API of the model with an HTTP request.`
      : `Weft has no node for ${short}: use a connector, an HTTP request or code.`,
  );
}
