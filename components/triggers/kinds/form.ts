import { IconForms } from '@tabler/icons-react';
import type { Form } from '@/contract/triggers/form';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { shownAs, type Trigger, type TriggerKind } from './kind';
import { ACCESS, ALL, REFETCH_MS, triggerState } from './state';

const shown = ({ id, path, url, title, access }: Form, status: WorkflowStatus): Trigger => ({
  id,
  kind: 'form',
  text: `/${path}`,
  words: title,
  state: triggerState(true, status),
  note: ACCESS[access],
  canListen: false,
  page: { url, label: `Open form ${title}` },
});

export const formKind: TriggerKind = {
  kind: 'form',
  label: 'Form',
  icon: IconForms,
  offer: {
    description: 'Starts the workflow when a page with fields is sent.',
    synonyms: [
      'form trigger',
      'trigger',
      'survey',
      'questionnaire',
      'page',
      'fields',
      'submit',
      'public form',
      'upload',
    ],
  },
  query: (trpc, { id, status }) =>
    shownAs(
      trpc.forms.list.queryOptions({ params: { id }, query: ALL }),
      ({ data }: { data: Form[] }) => data.map((form) => shown(form, status)),
      REFETCH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../form/FormTriggerDialog').then((module) => module.FormTriggerDialog)),
};
