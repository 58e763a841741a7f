import { expect, test } from 'vitest';
import { putRememberedFirst, toggleFavouriteOffer, addRecentOffer } from './palette-memory';

const NOTHING = { favourites: [], recent: [] };

test('favourites come first, then recent ones, each once', () => {
  const offers = [
    { id: 'a', group: 'Actions' },
    { id: 'b', group: 'Actions' },
    { id: 'c', group: 'Logic' },
    { id: 'slack/send', group: 'Slack', isHidden: true },
  ];
  expect(putRememberedFirst(offers, { favourites: ['slack/send', 'gone'], recent: ['slack/send', 'c'] })).toEqual([
    { id: 'slack/send', group: 'Favourites', isHidden: false },
    { id: 'c', group: 'Recently used', isHidden: false },
    { id: 'a', group: 'Actions' },
    { id: 'b', group: 'Actions' },
  ]);
});

test('a favourite is added and removed', () => {
  const one = toggleFavouriteOffer(NOTHING, 'a');
  expect(toggleFavouriteOffer(one, 'b').favourites).toEqual(['a', 'b']);
  expect(toggleFavouriteOffer(one, 'a').favourites).toEqual([]);
});

test('the last five used are kept, newest first', () => {
  const kept = ['a', 'b', 'c', 'a', 'd', 'e', 'f'].reduce(addRecentOffer, NOTHING);
  expect(kept.recent).toEqual(['f', 'e', 'd', 'a', 'c']);
});
