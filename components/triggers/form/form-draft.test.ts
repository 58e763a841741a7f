import { expect, test } from 'vitest';
import type { FormSubmitResponse } from '@/contract/triggers/form';
import { formRequestBody, toFormDraft, EMPTY_FORM_DRAFT, formDialogField, isFormDialogField } from './form-draft';

const responses: FormSubmitResponse[] = [
  { mode: 'message', message: 'Thanks' },
  { mode: 'redirect', url: 'https://example.com/thanks' },
  { mode: 'run_output', timeoutMs: 5000 },
];

test.each(responses)('a form with the response $mode stays as it is', (response) => {
  const { path, title, description, access, fields } = {
    ...formRequestBody(EMPTY_FORM_DRAFT),
    path: 'ask',
    title: 'Ask',
  };
  const at = '2026-01-31T08:15:30.000Z';
  const form = {
    id: 'form_1',
    workflowId: 'wf_1',
    url: 'https://weft.example.com/forms/wf_1/ask',
    path,
    title,
    description,
    access,
    fields,
    response,
    startNodeId: 'second',
    createdAt: at,
    updatedAt: at,
  };
  expect(formRequestBody(toFormDraft(form))).toEqual({
    path,
    title,
    description,
    access,
    fields,
    response,
    startNodeId: 'second',
  });
});

test('errors are shown at their fields', () => {
  expect(formDialogField('fields[3].options[0].label')).toBe('fields[3].options');
  expect(['path', 'fields', 'fields[0].name', 'fields[1].options[2]', 'response.url'].every(isFormDialogField)).toBe(
    true,
  );
  expect(['', 'response', 'limit'].some(isFormDialogField)).toBe(false);
});
