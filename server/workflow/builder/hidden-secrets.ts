import type { FieldIssue } from '@/contract/error-response';

/** A model reads this in place of a text that looks like a secret. */
const HIDDEN_PLACEHOLDER = '(hidden)';

/** Names of fields whose texts are secrets, such as headers. */
const SECRET_FIELD_NAME = /^(?:proxy-)?authorization$|cookie|api[-_]?key|token|secret|passw/i;
/** Parameters of an address that are secrets. Their names stay. */
const SECRET_URL_PARAMETER =
  /([?&](?:api_?key|access_?token|auth|token|key|secret|signature|sig|password)=)[^&#\s{}]+/gi;
/** User name and password in an address. */
const URL_USER_INFO = /(\/\/)[^/\s:@{}]*:[^/\s@{}]+(?=@)/g;
/**
 * Keys and tokens by their form: OpenAI, Slack, GitHub, GitLab, AWS, JWT. None begins inside another one: the time
 * stays linear.
 */
const SECRET_TOKEN_FORMAT =
  /(?<![\w-])(?:sk-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|gh[oprsu]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g;

function hideSecretText(text: string, name: string): string {
  // An expression only names a secret, so it stays.
  if (SECRET_FIELD_NAME.test(name) && text !== '' && !text.includes('{{')) return HIDDEN_PLACEHOLDER;
  return text
    .replace(SECRET_URL_PARAMETER, `$1${HIDDEN_PLACEHOLDER}`)
    .replace(URL_USER_INFO, `$1${HIDDEN_PLACEHOLDER}`)
    .replace(SECRET_TOKEN_FORMAT, HIDDEN_PLACEHOLDER);
}

/** Hides texts in a JSON value that look like secrets. `name` is the field that has the value. */
export function hideSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return hideSecretText(value, name);
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hideSecrets(inner, key)]));
}

/**
 * Puts the hidden texts that a model kept back into its value. A text returns only to its old place, so that a model
 * cannot move it, for example into the address of another host. At any other place it is an issue. `at` is the path of
 * the value.
 */
export function restoreHiddenSecrets(
  written: unknown,
  before: unknown,
  at: string,
  issues: FieldIssue[],
  name = '',
): unknown {
  if (typeof written === 'string') {
    if (!written.includes(HIDDEN_PLACEHOLDER)) return written;
    if (typeof before === 'string' && hideSecretText(before, name) === written) return before;
    issues.push({ field: at, message: 'had a hidden value, which has to be entered again' });
    return written.replaceAll(HIDDEN_PLACEHOLDER, '');
  }
  if (Array.isArray(written)) {
    const old: unknown[] = Array.isArray(before) ? before : [];
    return written.map((item, index) => restoreHiddenSecrets(item, old[index], `${at}[${index}]`, issues, name));
  }
  if (typeof written !== 'object' || written === null) return written;
  const old = new Map(typeof before === 'object' && before !== null ? Object.entries(before) : []);
  return Object.fromEntries(
    Object.entries(written).map(([key, inner]) => [
      key,
      restoreHiddenSecrets(inner, old.get(key), `${at}.${key}`, issues, key),
    ]),
  );
}
