import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineSteppedOperation, operationParameters, type OperationDefinition } from './operation';
import {
  contentLineParameter,
  countParameter,
  listedJoinedParameter,
  listedLineListParameter,
  listedLineParameter,
  valueLineParameter,
  type ParameterShape,
} from './parameters';

describe('kinds of parameters', () => {
  it('are known of every text, however it is wrapped', () => {
    const known: ParameterShape = {
      channel: listedLineParameter('Channel', 'channels').describe('Id').optional(),
      users: listedLineListParameter('Users', 'users').max(5),
      subject: contentLineParameter('Subject').default('Hello'),
      formula: valueLineParameter('Formula', 'query').array().max(3).optional(),
      count: countParameter('Count', 5).nullable(),
    };
    // @ts-expect-error A text that says no kind is refused.
    const unknown: ParameterShape = { channel: z.string() };
    // @ts-expect-error So is a list of such texts.
    const unknownList: ParameterShape = { channels: z.string().array().optional() };
    const schema = z.toJSONSchema(z.strictObject({ ...known, ...unknown, ...unknownList }));
    expect(Object.keys(schema.properties ?? {})).toHaveLength(6);
  });

  it('are demanded of every operation', () => {
    const described: OperationDefinition = {
      id: 'things.get',
      title: 'Get a thing',
      method: 'GET',
      path: '/things/{thing}',
      inPath: { thing: listedLineParameter('Thing', 'things') },
      // @ts-expect-error A text that says no kind is refused in every place of a request.
      inQuery: { filter: z.string().meta({ title: 'Filter' }) },
    };
    const stepped = defineSteppedOperation({
      id: 'things.find',
      title: 'Find a thing',
      // @ts-expect-error So is one of an operation with steps.
      parameters: { name: z.string().optional() },
      *steps({ name }) {
        return (yield { path: `/things/${String(name)}` }).body;
      },
    });
    expect([described, stepped].map((operation) => Object.keys(operationParameters(operation).shape))).toEqual([
      ['thing', 'filter'],
      ['name'],
    ]);
  });

  it('say what lists them, and which fields the list needs', () => {
    expect(listedLineParameter('File', 'files', ['drive', 'folder?']).meta()).toEqual({
      title: 'File',
      'x-choices': { source: 'files', dependsOn: ['drive'], uses: ['folder'], search: true },
    });
    expect(listedJoinedParameter('Users', 'users').describe('Ids').meta()).toEqual({
      title: 'Users',
      description: 'Ids',
      'x-choices': { source: 'users', dependsOn: [], search: true },
      'x-separator': ',',
    });
  });
});
