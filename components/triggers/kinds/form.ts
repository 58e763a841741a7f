import { IconForms } from '@tabler/icons-react';
import type { FormTrigger } from '@/contract/triggers/form';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { triggersQuery, type TriggerCardData, type TriggerKind } from './kind';
import { PAGE_ACCESS_LABELS, TRIGGER_LIST_QUERY, TRIGGER_REFRESH_MS, resolveTriggerState } from './state';

const toFormTrigger = (
  { id, path, url, title, access, startNodeId }: FormTrigger,
  status: WorkflowStatus,
): TriggerCardData => ({
  id,
  kind: 'form',
  text: `/${path}`,
  words: title,
  state: resolveTriggerState(true, status),
  note: PAGE_ACCESS_LABELS[access],
  startNodeId,
  canListen: false,
  page: { url, label: `Open form ${title}` },
});

export const formTriggerKind: TriggerKind = {
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
    triggersQuery(
      trpc.forms.list.queryOptions({ params: { id }, query: TRIGGER_LIST_QUERY }),
      ({ data }: { data: FormTrigger[] }) => data.map((form) => toFormTrigger(form, status)),
      TRIGGER_REFRESH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../form/FormTriggerDialog').then((module) => module.FormTriggerDialog)),
};
