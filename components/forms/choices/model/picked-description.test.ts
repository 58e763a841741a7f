import { expect, test } from 'vitest';
import { pickedDescription } from './picked-description';

test.each([
  ['Id of the channel, e.g. C024BE91L', undefined],
  ['Id of a channel or user, or the name of a public channel, e.g. C024BE91L', undefined],
  ['Ids of up to 100 users', undefined],
  ['Account id of the user', undefined],
  ['Name or id of the table', undefined],
  ['Id of the base, e.g. appLkNDICXNqxSDhG; it is in its address', undefined],
  ['Id of a user; default: whose token it is', 'Default: whose token it is'],
  ['User or organization, e.g. octocat', 'User or organization, e.g. octocat'],
  [undefined, undefined],
])('%s', (description, shown) => {
  expect(pickedDescription(description)).toBe(shown);
});
