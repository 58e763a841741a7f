import { expect, it } from 'vitest';
import { fieldLabel } from './field-label';

const schema = {
  properties: {
    url: { title: 'URL' },
    cases: { title: 'Cases', items: { properties: { port: { title: 'Port' } } } },
    sendAt: {},
  },
};

it('names fields by their labels', () => {
  expect(fieldLabel(schema, 'url')).toBe('URL');
  expect(fieldLabel(schema, 'cases[0].port')).toBe('Cases 1 › Port');
  expect(fieldLabel(schema, 'sendAt')).toBe('Send at');
  expect(fieldLabel(schema, 'other.inner')).toBe('other › inner');
});
