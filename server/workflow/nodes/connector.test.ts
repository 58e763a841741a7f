import { expect, it } from 'vitest';
import { connectorNodeType } from './connector';

const config = {
  connectorId: 'google',
  operation: 'gmail.send',
  parameters: { to: '{{ input.receiver }}', subject: 'Hello' },
};

it('takes parameters that a model chooses, beside those of the author and the arguments of expressions', () => {
  const chosen = { receiver: 'ada@example.com', text: 'Hi', subject: 'Other' };
  expect(connectorNodeType.tool?.arguments?.merge(config, chosen, config, { workspaceId: 'ws_1' })).toEqual({
    ...config,
    parameters: { ...config.parameters, text: 'Hi' },
  });
});
