/** What stands in the place of a secret. */
export const MASKED_PARAMETER = '••••••';

/** Names of parameters and headers whose values are secrets. */
const SECRET_NAME_PATTERN =
  /pass(?:word|wd|phrase|code)?$|secret|token|api[-_ ]?key|auth(?:orization)?$|cookie|credential|private[-_ ]?key|access[-_ ]?key|signature|session[-_ ]?id|^key$/i;

/** Secrets in a text, each with the part before it that stays. Every pattern takes linear time. */
const SECRET_TEXT_PATTERNS = [
  /\b((?:Bearer|Basic|Token|Digest)\s)[\w.~+/=:-]{6,}/gi,
  /(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,200}(?=@)/g,
  /([?&;](?:[\w-]{0,40}(?:token|key|secret|password|sig|signature|auth))=)[^&\s"'`]+/gi,
  /((?:password|passwd|secret|token|api[-_]?key|authorization)["'`]?\s?[:=]\s?["'`])[^"'`\n]+(?=["'`])/gi,
  /()\b(?:(?:sk|pk|rk|xox[a-z]|gh[a-z]|glpat|pat|key|whsec|shpat)[-_]|AKIA|AIza|eyJ)[\w.-]{10,}/g,
  /()(?<![\w+/=-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[\w+/-]{32,}={0,2}/g,
];

/** A value without what looks like a secret: by the names of fields, and in texts. */
export function maskPlainSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return maskText(value, name);
  if (typeof value === 'number') return SECRET_NAME_PATTERN.test(name) ? MASKED_PARAMETER : value;
  if (Array.isArray(value)) return value.map((item) => maskPlainSecrets(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  // A pair such as {name: "X-Api-Key", value: "…"}. A choice from a list has an id, which is no secret.
  const title = [fields['name'], fields['key'], fields['parameterName']].find((one) => typeof one === 'string');
  const isChoice = fields['__rl'] === true;
  return Object.fromEntries(
    Object.entries(fields).map(([key, one]) => {
      if (isChoice && (key === 'value' || key.startsWith('cached'))) return [key, one];
      if (key === 'name' || key === 'parameterName' || (key === 'key' && 'value' in fields)) return [key, one];
      const isNamed = key === 'value' && typeof title === 'string';
      return [key, maskPlainSecrets(one, isNamed ? title : typeof one === 'object' ? '' : key)];
    }),
  );
}

/** An expression alone names where the value is; a text with more may hold the value itself. */
const isExpressionAlone = (text: string) => /^=\s*\{\{[^'"`]*\}\}\s*$/.test(text);

function maskText(text: string, name: string): string {
  if (text === '' || isExpressionAlone(text)) return text;
  if (SECRET_NAME_PATTERN.test(name)) return MASKED_PARAMETER;
  return SECRET_TEXT_PATTERNS.reduce((masked, pattern) => masked.replaceAll(pattern, `$1${MASKED_PARAMETER}`), text);
}
