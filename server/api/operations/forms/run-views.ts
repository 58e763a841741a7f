import { isFinalStatus } from '@/contract/states';
import { CustomResponse } from '@/server/api/operation/operation';
import { buildFormRunPath, type FormRunLink } from '@/server/engine/attempt/form-run-link';
import { readRunEnds } from '@/server/engine/answers/run-ends';
import type { FormRun, FormRunPage } from '@/server/engine/queue/form-run';
import type { AuthenticatedPerson } from '@/server/people/access/caller';
import type { FormEnding } from '@/server/workflow/nodes/node-type';
import { SANDBOX_HEADERS } from '../webhooks/responses';
import type { AddressedForm } from './addressed-form';
import { renderFormPage, SEND_BUTTON_TEXT, type ShownForm } from './form-page';
import { htmlPageResponse, noticePage } from './html-page';
import { html } from './html';
import { leadElsewhere } from './run-redirect';
import { acceptedFormPage, runOutputPage } from './submission';
import type { FormVisitor } from './visitor';

/** A run at a link that may be shown to the visitor. */
export interface OpenedRun {
  run: FormRun;
  link: FormRunLink;
  /** The form that started the run; null: something else did, or it was deleted. */
  form: AddressedForm | null;
  /** The member who looks, of a form for members. */
  person: AuthenticatedPerson | null;
  visitor: FormVisitor;
}

const formTitle = ({ form }: OpenedRun): string => form?.title ?? 'Form';

/** A page of a run, as a form. A text that its node does not set is that of the form. */
export function toShownPage(opened: OpenedRun, { nodeId, content }: FormRunPage): ShownForm {
  const { title, description = '', buttonText, fields } = content;
  return {
    tokenId: `${opened.run.executionId} ${nodeId}`,
    pageId: nodeId,
    title: title || formTitle(opened),
    description,
    buttonText: buttonText || SEND_BUTTON_TEXT,
    fields,
  };
}

/** Shows where a run stands: a page to fill in, an ending, or that it works. */
export async function showFormRun(opened: OpenedRun): Promise<CustomResponse> {
  const { run, link, visitor } = opened;
  const open = run.pages.find(({ isOpen }) => isOpen);
  if (open) return renderFormPage(toShownPage(opened, open), { visitor, posted: () => [] });
  const last = run.pages.at(-1);
  if (link.visitor === undefined && last) return last.isExpired ? expiredPage(opened) : usedPage(opened);
  if (run.ending) return showEnding(opened, run.ending);
  if (run.isCancelled) return closedPage(opened, 'It was cancelled, so nothing more can be sent.');
  if (link.visitor === undefined && isFinalStatus(run.status))
    return closedPage(opened, 'This is not asked for any more, so nothing can be sent.');
  if (run.status === 'completed') return last?.isExpired ? expiredPage(opened) : showUsualResponse(opened);
  if (run.isOverdue) return expiredPage(opened);
  if (run.status === 'failed') return failedPage(opened);
  return noticePage({
    title: formTitle(opened),
    text: 'One moment please. The next page comes by itself.',
    status: 202,
    isWaiting: true,
  });
}

const closedPage = (opened: OpenedRun, text: string, status = 410): CustomResponse =>
  noticePage({ title: formTitle(opened), text, status });

const expiredPage = (opened: OpenedRun): CustomResponse =>
  closedPage(opened, 'The time to fill this in is over, so nothing more can be sent.');

const usedPage = (opened: OpenedRun): CustomResponse => closedPage(opened, 'This page was filled in already.');

const failedPage = (opened: OpenedRun): CustomResponse =>
  closedPage(opened, 'What you entered was received, but it could not be processed. Tell the owner of the form.', 500);

/** What a visitor sees after a run without an ending: the response of the form is for the sender of the form. */
async function showUsualResponse(opened: OpenedRun): Promise<CustomResponse> {
  const { form, run, link } = opened;
  if (!form || link.nodeId !== undefined) {
    const text = 'Everything was sent. You can close this page.';
    return noticePage({ title: 'Thank you', text });
  }
  const { response, title } = form;
  if (response.mode === 'redirect') return leadElsewhere(title, response.url);
  if (response.mode === 'message') return acceptedFormPage(form);
  const [end] = await readRunEnds([run.executionId], [run.executionId]);
  return runOutputPage(form, { kind: 'end', isCompleted: true, output: end?.output ?? null });
}

function showEnding(opened: OpenedRun, ending: FormEnding): CustomResponse {
  switch (ending.show) {
    case 'html':
      return new CustomResponse(
        200,
        { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'no-referrer', ...SANDBOX_HEADERS },
        { text: ending.html },
      );
    case 'redirect':
      // Secrets in it are masked, so what is left may be no address.
      return URL.canParse(ending.url) ? leadElsewhere(formTitle(opened), ending.url) : failedPage(opened);
    case 'file':
      return showMessage(opened, ending, ending.file.name);
    default:
      return showMessage(opened, ending);
  }
}

function showMessage(
  opened: OpenedRun,
  { title, message }: { title?: string; message: string },
  fileName?: string,
): CustomResponse {
  const heading = title || formTitle(opened);
  const content = html`<h1>${heading}</h1>
    ${message !== '' && html`<p class="text">${message}</p>`}
    ${
      fileName !== undefined &&
      html`<p><a class="button" href="${buildFormRunPath(opened.link)}/file" download>Download ${fileName}</a></p>`
    }`;
  return htmlPageResponse({ title: heading, content });
}
