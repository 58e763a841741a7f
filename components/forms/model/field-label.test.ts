import { expect, it } from 'vitest';
import { fieldPathLabel } from './field-label';

const schema = {
  properties: {
    url: { title: 'URL' },
    cases: { title: 'Cases', items: { properties: { port: { title: 'Port' } } } },
    sendAt: {},
  },
};

it('names fields by their labels', () => {
  expect(fieldPathLabel(schema, 'url')).toBe('URL');
  expect(fieldPathLabel(schema, 'cases[0].port')).toBe('Cases 1 › Port');
  expect(fieldPathLabel(schema, 'sendAt')).toBe('Send at');
  expect(fieldPathLabel(schema, 'other.inner')).toBe('other › inner');
});
