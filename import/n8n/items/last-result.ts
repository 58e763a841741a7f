import type { ItemConversion, ItemNodes } from './item-conversion';

/** The type of a node that the import adds: of several lists it gives the last one that has items. */
export const LAST_RESULT_TYPE = 'weft.lastResult';
/** More inputs would hide the workflow. */
export const MAX_RESULT_INPUTS = 20;

export const convertLastResult = (conversion: ItemConversion): ItemNodes => {
  const count = Number(conversion.node.parameters['numberInputs']);
  return conversion.mergeNode('lastResult', Math.min(Math.max(count || 1, 1), MAX_RESULT_INPUTS));
};
