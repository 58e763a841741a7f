import { ENVIRONMENT_VARIABLES, type EnvironmentSource } from './variables';

/**
 * A variable that the service does not read, and the one that is probably meant; without one, nothing is close to it.
 */
export interface UnknownVariable {
  name: string;
  nearest: string | undefined;
}

/** Names of groups of variables, with the endings that they have. */
const VARIABLE_GROUPS: [RegExp, readonly string[]][] = [
  [/^CONNECTOR_[A-Z0-9_]+?_/, ['CLIENT_ID', 'CLIENT_SECRET', 'AUTHORIZE_URL', 'TOKEN_URL', 'API_URL']],
  [/^OAUTH2_[A-Z0-9]+_/, ['CLIENT_ID', 'CLIENT_SECRET', 'ISSUER', 'AUTHORIZE_URL', 'TOKEN_URL', 'USERINFO_URL']],
  [/^SAML_IDP_/, ['ENTITY_ID', 'SSO_URL', 'CERTIFICATE', 'SLO_URL']],
];

/** The prefix that people expect. The service's variables have none. */
const WEFT_PREFIX_PATTERN = /^WEFT_/;

/** Variables of other programs that are close to ours. */
const OTHER_PROGRAMS_VARIABLES = new Set([
  'HTTP_PROXY',
  'ALL_PROXY',
  'DATABASE_NAME',
  'DATABASE_USER',
  'DATABASE_HOST',
  'DATABASE_PORT',
  'SMTP_USER',
  'SMTP_HOST',
  'SMTP_PORT',
]);

/** A shorter name is close to too many others: two wrong letters of these are another word. */
const MIN_COMPARED_LENGTH = 6;
const MAX_EDIT_DISTANCE = 2;

/**
 * How many letters are missing, surplus, wrong or swapped with the next one (the distance of Damerau and Levenshtein).
 */
function damerauDistance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1));
      const row = rows[i];
      if (row) row[j] = isSwapped ? Math.min(least, at(i - 2, j - 2) + 1) : least;
    }
  }
  return at(one.length, other.length);
}

/** The closest of these names, if one is close. */
function findNearestName(name: string, known: readonly string[], maxDistance = MAX_EDIT_DISTANCE): string | undefined {
  const distances = known.map((one) => [one, damerauDistance(name, one)] as const);
  const [best] = distances.sort(([, a], [, b]) => a - b);
  return best && best[1] <= maxDistance ? best[0] : undefined;
}

/** The variables of a group that a name would belong to. */
function findNearestInGroup(name: string): string | undefined | null {
  for (const [prefix, endings] of VARIABLE_GROUPS) {
    const [start] = prefix.exec(name) ?? [];
    if (start === undefined) continue;
    const ending = endings.find((one) => name.endsWith(`_${one}`) || name === start + one);
    if (ending) return null;
    const rest = name.slice(start.length);
    const whole = rest.length < 3 ? undefined : endings.find((one) => one.includes(rest));
    const candidates = endings.map((one) => start + one);
    return whole ? start + whole : findNearestName(name, candidates, Infinity);
  }
  return null;
}

/**
 * Variables that look as if they were meant for this service, and are not read by it: those with the prefix `WEFT_`,
 * those of a group with another ending, and those that differ from a name of the table by one or two letters, or only
 * by capitals.
 */
export function findUnknownVariables(source: EnvironmentSource = process.env): UnknownVariable[] {
  const known = Object.keys(ENVIRONMENT_VARIABLES);
  return Object.keys(source).flatMap((name): UnknownVariable[] => {
    if (!source[name] || known.includes(name) || OTHER_PROGRAMS_VARIABLES.has(name.toUpperCase())) return [];
    const capitals = name.toUpperCase();
    // Lower case beside capitals is how programs are told about proxies.
    if (known.includes(capitals)) return source[capitals] ? [] : [{ name, nearest: capitals }];
    if (WEFT_PREFIX_PATTERN.test(capitals)) {
      const rest = capitals.replace(WEFT_PREFIX_PATTERN, '');
      const inGroup = findNearestInGroup(rest);
      const isGroup = inGroup === null && VARIABLE_GROUPS.some(([prefix]) => prefix.test(rest));
      return [
        { name, nearest: isGroup ? rest : (inGroup ?? (known.includes(rest) ? rest : findNearestName(rest, known))) },
      ];
    }
    const inGroup = findNearestInGroup(name);
    if (inGroup !== null) return [{ name, nearest: inGroup }];
    if (VARIABLE_GROUPS.some(([prefix]) => prefix.test(name)) || name.length < MIN_COMPARED_LENGTH) return [];
    const nearest = findNearestName(
      capitals,
      known.filter((one) => one.length >= MIN_COMPARED_LENGTH),
    );
    return nearest ? [{ name, nearest }] : [];
  });
}

/** Settings that have no effect beside others, in words for the operator. */
export function findIdleVariables(source: EnvironmentSource = process.env): string[] {
  const isSet = (name: keyof typeof ENVIRONMENT_VARIABLES) => Boolean(source[name]);
  const isDevelopment = (source.DEPLOYMENT_ENV || 'development') === 'development';
  const allowsPrivate = (source.EGRESS_ALLOW_PRIVATE || String(isDevelopment)) === 'true';
  return [
    ...(isSet('EGRESS_ALLOW') && allowsPrivate
      ? ['EGRESS_ALLOW has no effect while EGRESS_ALLOW_PRIVATE is true, its default in development']
      : []),
    ...(isSet('DATABASE_PASSWORD') && !isSet('DATABASE_URL')
      ? ['DATABASE_PASSWORD has no effect without DATABASE_URL: the embedded PostgreSQL is used']
      : []),
    ...(['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'] as const)
      .filter((name) => isSet(name) && !isSet('FILES_URL'))
      .map((name) => `${name} has no effect without FILES_URL: files are stored in DATA_DIR`),
    ...(isSet('REDIS_URL') && !isSet('DATABASE_URL')
      ? ['REDIS_URL is for many processes; without DATABASE_URL only those of this machine share a database']
      : []),
  ];
}
