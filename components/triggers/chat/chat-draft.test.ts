import { expect, test } from 'vitest';
import { bodyOf, chatField, draftOf, EMPTY_CHAT, isShown } from './chat-draft';

test('a draft becomes a body, and comes back', () => {
  const draft = { ...EMPTY_CHAT, path: ' ask ', title: ' Ask ', examples: ' One? \n\nTwo?' };
  const body = bodyOf(draft);
  expect(body).toMatchObject({ path: 'ask', title: 'Ask', examples: ['One?', 'Two?'], access: 'public' });
  const chat = { ...body, id: 'chat_1', workflowId: 'wf_1', url: '', createdAt: '', updatedAt: '' };
  expect(bodyOf(draftOf(chat))).toEqual(body);
});

test('errors of the service stand at their fields', () => {
  expect(chatField('examples[1]')).toBe('examples');
  expect(['examples[1]', 'title', 'access'].map(isShown)).toEqual([true, true, false]);
});
