import type { FieldError } from '@/contract/error';

/** What a model reads in place of a text that looks like a secret. */
const HIDDEN = '(hidden)';

/** Names of fields whose texts are secrets, such as headers. */
const SECRET_NAME = /^(?:proxy-)?authorization$|cookie|api[-_]?key|token|secret|passw/i;
/** Parameters of an address that are secrets: the name stays. */
const SECRET_PARAMETER = /([?&](?:api_?key|access_?token|auth|token|key|secret|signature|sig|password)=)[^&#\s{}]+/gi;
/** User name and password in an address. */
const USER_INFO = /(\/\/)[^/\s:@{}]*:[^/\s@{}]+(?=@)/g;
/** Keys and tokens by their form: OpenAI, Slack, GitHub, GitLab, AWS, JWT. */
const SECRET_FORM =
  /\b(?:sk-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g;

function hiddenText(text: string, name: string): string {
  // An expression names a value and contains none.
  if (SECRET_NAME.test(name) && text !== '' && !text.includes('{{')) return HIDDEN;
  return text.replace(SECRET_PARAMETER, `$1${HIDDEN}`).replace(USER_INFO, `$1${HIDDEN}`).replace(SECRET_FORM, HIDDEN);
}

/** A JSON value in which texts that look like secrets are hidden. `name`: of the field that has the value. */
export function hide(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return hiddenText(value, name);
  if (Array.isArray(value)) return value.map((item) => hide(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(inner, key)]));
}

/**
 * A value as a model wrote it, with the hidden texts that it kept in their place: a text is put back only where it was, so that a model
 * cannot move it, for example into the address of another host. Others are issues. `at`: the path of the value.
 */
export function reveal(written: unknown, before: unknown, at: string, issues: FieldError[], name = ''): unknown {
  if (typeof written === 'string') {
    if (!written.includes(HIDDEN)) return written;
    if (typeof before === 'string' && hiddenText(before, name) === written) return before;
    issues.push({ field: at, message: 'had a hidden value, which has to be entered again' });
    return written.replaceAll(HIDDEN, '');
  }
  if (Array.isArray(written)) {
    const old: unknown[] = Array.isArray(before) ? before : [];
    return written.map((item, index) => reveal(item, old[index], `${at}[${index}]`, issues, name));
  }
  if (typeof written !== 'object' || written === null) return written;
  const old = new Map(typeof before === 'object' && before !== null ? Object.entries(before) : []);
  return Object.fromEntries(
    Object.entries(written).map(([key, inner]) => [key, reveal(inner, old.get(key), `${at}.${key}`, issues, key)]),
  );
}
