import { describe, expect, it } from 'vitest';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import { dropStaleParameters, addParameterFields } from './connector-operation';

const parameters = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const connectors = [
  {
    id: 'crm',
    operations: [
      { id: 'find', title: 'Find', parameters: parameters('email', 'limit') },
      { id: 'add', title: 'Add', parameters: parameters('email', 'name') },
    ],
  },
] as unknown as ConnectorResponse[];
const schema = {
  properties: {
    operation: { type: 'string' },
    parameters: { title: 'Parameters', 'x-editor': 'connector-parameters' },
  },
};

describe('the parameters of an operation', () => {
  it('are the form once the operation is chosen', () => {
    expect(addParameterFields(schema, { connectorId: 'crm' }, connectors)).toEqual(schema);
    const { properties } = addParameterFields(schema, { connectorId: 'crm', operation: 'find' }, connectors);
    expect(properties?.parameters).toEqual({ ...parameters('email', 'limit'), title: 'Parameters' });
  });

  it('are kept if the next operation has them', () => {
    const config = { connectorId: 'crm', operation: 'add', parameters: { email: 'a@b.example', limit: '5' } };
    expect(dropStaleParameters(config, 'operation', connectors)).toEqual({
      connectorId: 'crm',
      operation: 'add',
      parameters: { email: 'a@b.example' },
    });
    expect(dropStaleParameters(config, 'parameters', connectors)).toBe(config);
    expect(dropStaleParameters(config, 'connectorId', connectors)).toEqual({ connectorId: 'crm' });
    expect(dropStaleParameters({ ...config, parameters: '{{ input }}' }, 'operation', connectors).parameters).toBe(
      '{{ input }}',
    );
  });
});
