import { isEmptyParameter, parameterText, type NodeConverter } from '../conversion';

/** A feed: a request, whose text becomes items. */
const convertFeedRead: NodeConverter = (conversion) => {
  const { parameters } = conversion.node;
  const url = conversion.limitText(parameterText(parameters['url'], conversion.expressions), 16_000);
  if (isEmptyParameter(parameters['url'])) conversion.addChoice('config.url', 'Enter its address.');
  else if (url === undefined) conversion.addTodo('Enter its address.');
  const piece = conversion.createCall({ type: 'http_request', config: { url, responseType: 'text' } }, true);
  return { ...piece, reader: 'feedItems' };
};

export const FEED_CONVERTERS: Readonly<Record<string, NodeConverter>> = { rssFeedRead: convertFeedRead };
