import type { FieldIssue } from '@/contract/error-response';
import { fieldIssueSentence } from '@/contract/field-sentence';
import { fieldBoundType, listFieldOptions, type FormFieldType, type FormField } from '@/contract/triggers/form-fields';
import type { CustomResponse } from '@/server/api/operation/operation';
import { valueAttribute, booleanAttribute, html, type HtmlFragment } from './html';
import { htmlPageResponse } from './html-page';
import { createFormToken, visitorHeaders, type FormVisitor } from './visitor';

/** The service adds these fields to a form. They cannot clash with its own fields, whose names begin with a letter. */
export const TOKEN_FIELD = '_token';
export const HONEYPOT_FIELD = '_website';
export const PAGE_FIELD = '_page';

export const SEND_BUTTON_TEXT = 'Send';

/** A form as a page shows it: one that starts a run, or a further page. */
export interface ShownForm {
  /** What the token of the page is made for. */
  tokenId: string;
  /** Which page of a run it is; absent: the one that starts the run. */
  pageId?: string;
  title: string;
  description: string;
  buttonText: string;
  fields: readonly FormField[];
  /** Where the form leads once it was sent; undefined: to a page of this origin. */
  redirectUrl?: string;
}

interface FormPageState {
  visitor: FormVisitor;
  /** Returns the texts that were entered into a field. */
  posted(name: string): readonly string[];
  /** Each issue names a field, or else concerns the form as a whole. */
  issues?: readonly FieldIssue[];
  /** Why the form was not taken, if no field is the reason. */
  notice?: string;
  status?: number;
}

/** The page with the fields of a form. Errors stand beside their fields, and what was entered is kept. */
export function renderFormPage(form: ShownForm, shown: FormPageState): CustomResponse {
  const { fields, title, description, buttonText } = form;
  const { visitor, issues = [], status } = shown;
  const errors = new Map(issues.map(({ field, message }) => [field, message]));
  const first = fields.find(({ name, kind }) => errors.has(name) && kind !== 'hidden');
  const isMarked = fields.some(({ required }) => required);
  const content = html`<h1>${title}</h1>
    ${description !== '' && html`<p class="text">${description}</p>`} ${renderFormNotice(form, shown)}
    <form
      method="post"
      novalidate${valueAttribute('enctype', fields.some(isFileField) ? 'multipart/form-data' : undefined)}
    >
      <input type="hidden" name="${TOKEN_FIELD}" value="${createFormToken(form.tokenId, visitor)}" />
      ${form.pageId !== undefined && html`<input type="hidden" name="${PAGE_FIELD}" value="${form.pageId}" />`}
      <div class="trap" aria-hidden="true">
        <label for="f-trap">Leave this empty</label
        ><input id="f-trap" name="${HONEYPOT_FIELD}" tabindex="-1" autocomplete="off" />
      </div>
      ${fields.map((field) => renderFormField(field, shown.posted(field.name), errors.get(field.name), field === first))}
      ${isMarked && html`<p class="muted">Fields with <span class="mark">*</span> are required.</p>`}
      <button type="submit">${buttonText}</button>
    </form>`;
  const heading = issues.length > 0 || shown.notice !== undefined ? `Error: ${title}` : title;
  return htmlPageResponse({
    title: heading,
    content,
    status,
    formAction: formActionSources(form),
    headers: visitorHeaders(visitor),
  });
}

const isFileField = ({ kind }: FormField) => kind === 'file';

/** Browsers apply the policy to the redirect as well, and to what that address redirects to. */
const formActionSources = ({ redirectUrl }: ShownForm): string =>
  redirectUrl === undefined ? '' : redirectUrl.startsWith('https:') ? ' https:' : ' http: https:';

function renderFormNotice({ fields }: ShownForm, { issues = [], notice }: FormPageState): HtmlFragment | false {
  if (issues.length === 0) return notice !== undefined && html`<p class="notice" role="alert">${notice}</p>`;
  const items = issues.map(({ field, message }) => {
    const found = fields.find(({ name }) => name === field);
    if (!found) return html`<li>${field === '' ? message : fieldIssueSentence(field, message)}</li>`;
    const text = fieldIssueSentence(found.label, message);
    return found.kind === 'hidden' ? html`<li>${text}</li>` : html`<li><a href="#f-${found.name}">${text}</a></li>`;
  });
  return html`<div class="notice" role="alert">
    Nothing was sent. Please correct:
    <ul>
      ${items}
    </ul>
  </div>`;
}

function renderFormField(
  field: FormField,
  texts: readonly string[],
  error: string | undefined,
  isFirst: boolean,
): HtmlFragment {
  const { name, kind } = field;
  if (kind === 'hidden') return html`<input type="hidden" name="${name}" value="${texts[0] ?? ''}" />`;
  const help = fieldHelpText(field);
  const described = [help && `f-${name}-help`, error && `f-${name}-error`].filter(Boolean).join(' ');
  const state = html`${valueAttribute('aria-describedby', described || undefined)}${
    error !== undefined && html` aria-invalid="true"`
  }${booleanAttribute('autofocus', isFirst)}`;
  const notes = {
    help: help && html`<p class="help" id="f-${name}-help">${help}</p>`,
    error: error && html`<p class="error" id="f-${name}-error">${fieldErrorSentence(error)}</p>`,
  };
  if (kind === 'checkbox') {
    return html`<div class="field">
      <label class="box"
        ><input
          type="checkbox"
          id="f-${name}"
          name="${name}"
          value="true"
          ${booleanAttribute('checked', texts.length > 0)}${booleanAttribute('required', isRequiredField(field))}${state}
        /><span>${renderFieldLabel(field)}</span></label
      >${notes.help}${notes.error}
    </div> `;
  }
  if (kind === 'multiselect') {
    return html`<fieldset class="field" id="f-${name}" tabindex="-1" ${state}>
      <legend>${renderFieldLabel(field)}</legend>
      ${notes.help}${renderCheckboxes(field, texts)}${notes.error}
    </fieldset> `;
  }
  return html`<div class="field">
    <label for="f-${name}">${renderFieldLabel(field)}</label
    >${notes.help}${renderFieldControl(field, texts[0] ?? '', state)}${notes.error}
  </div> `;
}

function fieldErrorSentence(error: string): string {
  const sentence = fieldIssueSentence('This field', error);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

const isRequiredField = ({ required = false }: FormField) => required;

const renderFieldLabel = (field: FormField): HtmlFragment =>
  html`${field.label}${isRequiredField(field) && html` <span class="mark" aria-hidden="true">*</span>`}`;

/** Times without a zone are in UTC, because a page without scripts does not know the zone of its reader. */
const fieldHelpText = ({ help = '', kind }: FormField): string =>
  [help, kind === 'datetime' ? 'The time is in UTC.' : ''].filter(Boolean).join(' ');

const renderCheckboxes = (field: FormField, texts: readonly string[]): HtmlFragment[] =>
  listFieldOptions(field).map(
    ({ value, label }) =>
      html`<label class="box"
        ><input
          type="checkbox"
          name="${field.name}"
          value="${value}"
          ${booleanAttribute('checked', texts.includes(value))}
        /><span>${label}</span></label
      >`,
  );

const INPUT_TYPES: Partial<Record<FormFieldType, string>> = {
  email: 'email',
  number: 'number',
  date: 'date',
  datetime: 'datetime-local',
  file: 'file',
};

function renderFieldControl(field: FormField, text: string, state: HtmlFragment): HtmlFragment {
  const { name, kind } = field;
  const common = html`id="f-${name}" name="${name}"${booleanAttribute('required', isRequiredField(field))}${state}`;
  if (kind === 'select') {
    const options = listFieldOptions(field).map(
      ({ value, label }) =>
        html`<option value="${value}" ${booleanAttribute('selected', value === text)}>${label}</option>`,
    );
    return html`<select ${common}>
      <option value="">Choose…</option>
      ${options}
    </select>`;
  }
  if (kind === 'textarea') {
    // Browsers drop a line break that follows the tag.
    return html`<textarea ${common} rows="5" ${renderBoundAttributes(field)}>${`\n${text}`}</textarea>`;
  }
  const value = kind === 'file' ? undefined : html` value="${text}"`;
  const step = kind === 'number' && html` step="any" inputmode="decimal"`;
  const completion = valueAttribute('autocomplete', kind === 'email' ? 'email' : undefined);
  return html`<input
    type="${INPUT_TYPES[kind] ?? 'text'}"
    ${common}${value}${renderBoundAttributes(field)}${step}${completion}
  />`;
}

function renderBoundAttributes(field: FormField): HtmlFragment {
  const { min, max } = field;
  return fieldBoundType(field) === 'count'
    ? html`${valueAttribute('minlength', min)}${valueAttribute('maxlength', max)}`
    : html`${valueAttribute('min', min)}${valueAttribute('max', max)}`;
}
