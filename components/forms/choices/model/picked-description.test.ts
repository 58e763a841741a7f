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
  ['Its id; invite the bot to it.', 'Invite the bot to it.'],
  ['Its id, from the address.', undefined],
  ['Name or id; it has the fields Email and Answers.', 'It has the fields Email and Answers.'],
  ['Identical to the name', 'Identical to the name'],
  [undefined, undefined],
])('%s', (description, shown) => {
  expect(pickedDescription(description)).toBe(shown);
});
