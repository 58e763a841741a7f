import { NodeConversion } from '../conversion';
import type { ItemConversion } from './item-conversion';

/** The conversion of the parameters of a node to those of a node of Weft, for one item. */
export const openInnerConversion = ({ node, id, parts }: ItemConversion): NodeConversion =>
  new NodeConversion(node, id, parts);

/** Takes over what the conversion of the parameters says. */
export function closeInnerConversion(conversion: ItemConversion, inner: NodeConversion): void {
  if (inner.outcome === 'placeholder') conversion.outcome = 'placeholder';
  else if (inner.outcome === 'partly') conversion.addTodo('');
  conversion.remarks.addAll(inner.remarks);
}
