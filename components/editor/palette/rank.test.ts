import { describe, expect, it } from 'vitest';
import { TRIGGER_KINDS } from '@/components/triggers/kinds';
import { catalogue } from '@/server/nodes';
import { rank, type Searched } from '@/components/ui/choosing/rank';

const nodes = catalogue().map((kind) => ({
  title: kind.title,
  description: kind.description,
  words: [kind.type, ...kind.synonyms],
}));
const triggers = TRIGGER_KINDS.flatMap(({ label, offer }) =>
  offer ? [{ title: label, ...offer, words: offer.words.split(' ') }] : [],
);
const operations = [
  'List the tracks of a playlist',
  'Get an order',
  'Start, stop or reset an instance',
  'Create a contact',
  'List mails',
].map((title): Searched => ({ title, description: 'Spotify', words: ['Spotify', 'tracks.list'], isHidden: true }));
const all: Searched[] = [...nodes, ...triggers, ...operations];
const found = (search: string) =>
  all
    .map((entry) => ({ title: entry.title, score: rank(search, entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ title }) => title);

describe('rank', () => {
  it.each([
    ['webhook', 'Webhook'],
    ['cron', 'Schedule'],
    ['schedule', 'Schedule'],
    ['if', 'Condition'],
    ['loop', 'For each'],
    ['set', 'Transform'],
    ['edit fields', 'Transform'],
    ['merge', 'Merge'],
    ['function', 'Code'],
    ['http', 'HTTP request'],
    ['htpt', 'HTTP request'],
    ['mail', 'Send email'],
    ['javascript', 'Code'],
    ['route', 'Switch'],
    ['human', 'Approval'],
    ['group by', 'Aggregate'],
    ['transf', 'Transform'],
    ['respond to webhook', 'Respond'],
  ])('finds for “%s” first %s', (search, title) => expect(found(search)[0]).toBe(title));

  it('finds all that a word stands for', () => {
    expect(found('wait').slice(0, 2).sort()).toEqual(['Delay', 'Wait for call']);
  });

  it('does not match letters or parts of words in descriptions', () => {
    expect(found('slack')).toEqual([]);
    expect(found('ai')).not.toContain('List mails');
    expect(rank('list', { title: 'X', description: 'Sorts a list.' })).toBeGreaterThan(0);
    expect(rank('lis', { title: 'X', description: 'Sorts a list.' })).toBe(0);
  });

  it('ranks operations of services after nodes, and needs every word', () => {
    expect(found('get')[0]).toBe('HTTP request');
    expect(rank('spotify list', operations[0]!)).toBeGreaterThan(0);
    expect(rank('spotify nothing', operations[0]!)).toBe(0);
  });
});
