import type { FieldError } from '@/contract/error';
import { fieldSentence } from '@/contract/field-sentence';
import { boundOf, optionsOf, type FieldKind, type FormField } from '@/contract/triggers/form-fields';
import type { CustomReply } from '@/server/api/operation';
import { attribute, flag, html, type Html } from './html';
import type { AddressedForm } from './lookup';
import { pageReply } from './page';
import { formToken, visitorHeaders, type Visitor } from './visitor';

/** The fields of the service in a posted form. Names of fields begin with a letter, so these are free. */
export const TOKEN_FIELD = '_token';
export const TRAP_FIELD = '_website';

interface Shown {
  visitor: Visitor;
  /** What was entered, by name. */
  posted(name: string): readonly string[];
  /** By the names of fields; others concern the form as a whole. */
  issues?: readonly FieldError[];
  /** Why the form was not taken, if no field is the reason. */
  notice?: string;
  status?: number;
}

/** The page with the fields of a form. Errors stand beside their fields, and what was entered is kept. */
export function formPage(form: AddressedForm, shown: Shown): CustomReply {
  const { fields, title, description } = form;
  const { visitor, issues = [], status } = shown;
  const errors = new Map(issues.map(({ field, message }) => [field, message]));
  const first = fields.find(({ name, kind }) => errors.has(name) && kind !== 'hidden');
  const isMarked = fields.some(({ required }) => required);
  const content = html`<h1>${title}</h1>
    ${description !== '' && html`<p class="text">${description}</p>`} ${noticeOf(form, shown)}
    <form method="post" novalidate${attribute('enctype', fields.some(isFile) ? 'multipart/form-data' : undefined)}>
      <input type="hidden" name="${TOKEN_FIELD}" value="${formToken(form.id, visitor)}" />
      <div class="trap" aria-hidden="true">
        <label for="f-trap">Leave this empty</label
        ><input id="f-trap" name="${TRAP_FIELD}" tabindex="-1" autocomplete="off" />
      </div>
      ${fields.map((field) => fieldOf(field, shown.posted(field.name), errors.get(field.name), field === first))}
      ${isMarked && html`<p class="muted">Fields with <span class="mark">*</span> are required.</p>`}
      <button type="submit">Send</button>
    </form>`;
  const heading = issues.length > 0 || shown.notice !== undefined ? `Error: ${title}` : title;
  return pageReply({ title: heading, content, status, formAction: actionOf(form), headers: visitorHeaders(visitor) });
}

const isFile = ({ kind }: FormField) => kind === 'file';

/** Browsers apply the policy to the redirect as well, and to what that address redirects to. */
const actionOf = ({ response }: AddressedForm): string =>
  response.mode !== 'redirect' ? '' : response.url.startsWith('https:') ? ' https:' : ' http: https:';

function noticeOf({ fields }: AddressedForm, { issues = [], notice }: Shown): Html | false {
  if (issues.length === 0) return notice !== undefined && html`<p class="notice" role="alert">${notice}</p>`;
  const items = issues.map(({ field, message }) => {
    const found = fields.find(({ name }) => name === field);
    if (!found) return html`<li>${field === '' ? message : fieldSentence(field, message)}</li>`;
    const text = fieldSentence(found.label, message);
    return found.kind === 'hidden' ? html`<li>${text}</li>` : html`<li><a href="#f-${found.name}">${text}</a></li>`;
  });
  return html`<div class="notice" role="alert">
    Nothing was sent. Please correct:
    <ul>
      ${items}
    </ul>
  </div>`;
}

function fieldOf(field: FormField, texts: readonly string[], error: string | undefined, isFirst: boolean): Html {
  const { name, kind } = field;
  if (kind === 'hidden') return html`<input type="hidden" name="${name}" value="${texts[0] ?? ''}" />`;
  const help = helpOf(field);
  const described = [help && `f-${name}-help`, error && `f-${name}-error`].filter(Boolean).join(' ');
  const state = html`${attribute('aria-describedby', described || undefined)}${
    error !== undefined && html` aria-invalid="true"`
  }${flag('autofocus', isFirst)}`;
  const notes = {
    help: help && html`<p class="help" id="f-${name}-help">${help}</p>`,
    error: error && html`<p class="error" id="f-${name}-error">${sentenceBeside(error)}</p>`,
  };
  if (kind === 'checkbox') {
    return html`<div class="field">
      <label class="box"
        ><input
          type="checkbox"
          id="f-${name}"
          name="${name}"
          value="true"
          ${flag('checked', texts.length > 0)}${flag('required', isRequired(field))}${state}
        /><span>${labelOf(field)}</span></label
      >${notes.help}${notes.error}
    </div> `;
  }
  if (kind === 'multiselect') {
    return html`<fieldset class="field" id="f-${name}" tabindex="-1" ${state}>
      <legend>${labelOf(field)}</legend>
      ${notes.help}${boxesOf(field, texts)}${notes.error}
    </fieldset> `;
  }
  return html`<div class="field">
    <label for="f-${name}">${labelOf(field)}</label
    >${notes.help}${controlOf(field, texts[0] ?? '', state)}${notes.error}
  </div> `;
}

function sentenceBeside(error: string): string {
  const sentence = fieldSentence('This field', error);
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

const isRequired = ({ required = false }: FormField) => required;

const labelOf = (field: FormField): Html =>
  html`${field.label}${isRequired(field) && html` <span class="mark" aria-hidden="true">*</span>`}`;

/** Times without a zone are in UTC: a page without scripts does not know that of its reader. */
const helpOf = ({ help = '', kind }: FormField): string =>
  [help, kind === 'datetime' ? 'The time is in UTC.' : ''].filter(Boolean).join(' ');

const boxesOf = (field: FormField, texts: readonly string[]): Html[] =>
  optionsOf(field).map(
    ({ value, label }) =>
      html`<label class="box"
        ><input type="checkbox" name="${field.name}" value="${value}" ${flag('checked', texts.includes(value))} /><span
          >${label}</span
        ></label
      >`,
  );

const TYPES: Partial<Record<FieldKind, string>> = {
  email: 'email',
  number: 'number',
  date: 'date',
  datetime: 'datetime-local',
  file: 'file',
};

function controlOf(field: FormField, text: string, state: Html): Html {
  const { name, kind } = field;
  const common = html`id="f-${name}" name="${name}"${flag('required', isRequired(field))}${state}`;
  if (kind === 'select') {
    const options = optionsOf(field).map(
      ({ value, label }) => html`<option value="${value}" ${flag('selected', value === text)}>${label}</option>`,
    );
    return html`<select ${common}>
      <option value="">Choose…</option>
      ${options}
    </select>`;
  }
  if (kind === 'textarea') {
    // Browsers drop a line break that follows the tag.
    return html`<textarea ${common} rows="5" ${boundsOf(field)}>${`\n${text}`}</textarea>`;
  }
  const value = kind === 'file' ? undefined : html` value="${text}"`;
  const step = kind === 'number' && html` step="any" inputmode="decimal"`;
  const completion = attribute('autocomplete', kind === 'email' ? 'email' : undefined);
  return html`<input type="${TYPES[kind] ?? 'text'}" ${common}${value}${boundsOf(field)}${step}${completion} />`;
}

function boundsOf(field: FormField): Html {
  const { min, max } = field;
  return boundOf(field) === 'count'
    ? html`${attribute('minlength', min)}${attribute('maxlength', max)}`
    : html`${attribute('min', min)}${attribute('max', max)}`;
}
