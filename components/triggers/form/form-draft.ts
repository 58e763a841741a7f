import type { FormTrigger, FormAccessMode, FormSubmitResponse } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';

/** A form as it is edited: what each response mode needs is kept while another is chosen. */
export interface FormDraft {
  path: string;
  title: string;
  description: string;
  access: FormAccessMode;
  fields: FormField[];
  mode: FormSubmitResponse['mode'];
  message: string;
  url: string;
  seconds: number;
  startNodeId: string | null;
}

const DEFAULT_FORM_SECONDS = 30;

export const EMPTY_FORM_DRAFT: FormDraft = {
  path: '',
  title: '',
  description: '',
  access: 'public',
  fields: [{ name: 'email', label: 'Email', kind: 'email', required: true }],
  mode: 'message',
  message: 'Thank you. Your answer was received.',
  url: '',
  seconds: DEFAULT_FORM_SECONDS,
  startNodeId: null,
};

export function toFormDraft(form: FormTrigger): FormDraft {
  const { path, title, description, access, fields, response, startNodeId } = form;
  const { message, url, seconds } = EMPTY_FORM_DRAFT;
  return {
    path,
    title,
    description,
    access,
    // The types of the schema also have undefined.
    fields: fields as FormField[],
    mode: response.mode,
    message: response.mode === 'message' ? response.message : message,
    url: response.mode === 'redirect' ? response.url : url,
    seconds: response.mode === 'run_output' ? response.timeoutMs / 1000 : seconds,
    startNodeId,
  };
}

function formResponseSettings({ mode, message, url, seconds }: FormDraft): FormSubmitResponse {
  if (mode === 'message') return { mode, message };
  return mode === 'redirect' ? { mode, url: url.trim() } : { mode, timeoutMs: Math.round(seconds * 1000) };
}

/** The request body. */
export const formRequestBody = (draft: FormDraft) => {
  const { path, title, description, access, fields, startNodeId } = draft;
  const response = formResponseSettings(draft);
  return { path: path.trim(), title: title.trim(), description, access, fields, response, startNodeId };
};

/** What the sender of a form sees, in one line. */
export const describeFormResponse = (response: FormSubmitResponse): string => {
  if (response.mode === 'message') return 'Shows a message';
  return response.mode === 'redirect' ? `Redirects to ${response.url}` : 'Shows the output of the run';
};

/** The fields of the dialog that errors of the service belong to. */
const FORM_DIALOG_FIELDS =
  /^(path|startNodeId|title|description|access|fields(\[\d+\]\.\w+)?|response\.(message|url|timeoutMs))$/;
export const isFormDialogField = (field: string): boolean => FORM_DIALOG_FIELDS.test(formDialogField(field));

/** `fields[0].options` for `fields[0].options[2].label`. */
export const formDialogField = (field: string): string => field.replace(/^(fields\[\d+\]\.\w+).*$/, '$1');
