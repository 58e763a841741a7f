import { expect, test } from 'vitest';
import { chatRequestBody, chatDialogField, toChatDraft, EMPTY_CHAT_DRAFT, isChatDialogField } from './chat-draft';

test('a draft becomes a body, and comes back', () => {
  const draft = { ...EMPTY_CHAT_DRAFT, path: ' ask ', title: ' Ask ', examples: ' One? \n\nTwo?' };
  const body = chatRequestBody(draft);
  expect(body).toMatchObject({ path: 'ask', title: 'Ask', examples: ['One?', 'Two?'], access: 'public' });
  const chat = { ...body, id: 'chat_1', workflowId: 'wf_1', url: '', createdAt: '', updatedAt: '' };
  expect(chatRequestBody(toChatDraft(chat))).toEqual(body);
});

test('errors of the service stand at their fields', () => {
  expect(chatDialogField('examples[1]')).toBe('examples');
  expect(['examples[1]', 'title', 'access'].map(isChatDialogField)).toEqual([true, true, false]);
});
