import { expect, it } from 'vitest';
import { wordsFromIdentifier } from './identifier-words';

it.each([
  ['NOT_STARTED', 'Not started'],
  ['in_progress', 'In progress'],
  ['backoffMs', 'Backoff ms'],
  ['json', 'JSON'],
  ['dateTime', 'Date time'],
  ['off-topic', 'Off topic'],
  ['-updated_at', 'Updated at, descending'],
  ['GET', 'GET'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['text/html', 'text/html'],
  ['already words', 'already words'],
])('%s is shown as %s', (identifier, words) => expect(wordsFromIdentifier(identifier)).toBe(words));
