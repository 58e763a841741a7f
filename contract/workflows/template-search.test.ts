import { expect, it } from 'vitest';
import type { TemplatePurpose } from './template-purposes';
import { searchTemplates } from './template-search';

const template = (name: string, purpose: TemplatePurpose, services: string[], words: string[] = []) => ({
  name,
  description: `Does ${name}.`,
  purpose,
  services: services.map((service) => ({ name: service })),
  words,
});
const ALL = [
  template('Feed', 'notify', ['RSS'], ['slack']),
  template('Slack command', 'pattern', []),
  template('Lead form', 'sales', ['HubSpot']),
];
const names = (text: string, purpose?: TemplatePurpose) => searchTemplates(ALL, text, purpose).map(({ name }) => name);

it('finds templates by name, service, word and purpose; names first', () => {
  expect(names('')).toEqual(['Feed', 'Slack command', 'Lead form']);
  expect(names('Slack')).toEqual(['Slack command', 'Feed']);
  expect(names('hub')).toEqual(['Lead form']);
  expect(names('rss feed')).toEqual(['Feed']);
  expect(names('', 'sales')).toEqual(['Lead form']);
  expect(names('slack', 'sales')).toEqual([]);
});
