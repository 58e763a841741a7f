import { isFillerWord, splitIntoWords, stemWord } from './words';

/**
 * What people search for → what the pages call it. Phrases on the left are found in any form of their words; each text
 * on the right is one alternative, all of whose words count. Words of the same stem (`retry`, `retries`) need no entry.
 */
const SEARCH_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  // Signing in
  'active directory': ['single sign-on', 'entra', 'microsoft'],
  azure: ['entra', 'microsoft', 'single sign-on'],
  'azure ad': ['entra', 'microsoft', 'single sign-on'],
  okta: ['single sign-on', 'openid connect', 'saml'],
  ldap: ['single sign-on'],
  oidc: ['openid connect', 'single sign-on'],
  sso: ['single sign-on'],
  login: ['sign-in', 'sign in'],
  'log in': ['sign-in', 'sign in'],
  logout: ['sign out'],
  '2fa': ['second factor'],
  mfa: ['second factor'],
  totp: ['second factor'],
  'two factor': ['second factor'],
  'multi factor': ['second factor'],
  'forgot password': ['recover password', 'locked out'],
  'lost password': ['recover password', 'locked out'],
  'reset password': ['recover password', 'locked out'],
  rbac: ['roles', 'rights'],
  acl: ['roles', 'rights'],
  permission: ['rights', 'roles'],
  team: ['members', 'invitation'],
  colleague: ['members', 'invitation'],
  teammate: ['members', 'invitation'],
  'service account': ['api keys'],

  // Operating
  'high availability': ['scaling', 'failover'],
  ha: ['scaling', 'failover'],
  redundancy: ['scaling', 'failover'],
  'load balancer': ['scaling', 'proxy'],
  cluster: ['scaling', 'workers'],
  'horizontal scaling': ['scaling'],
  k8s: ['kubernetes', 'helm'],
  kubernetes: ['helm'],
  docker: ['image', 'compose'],
  container: ['image', 'docker'],
  'env var': ['variables configuration'],
  'environment variable': ['variables configuration'],
  environment: ['environments'],
  env: ['variables configuration'],
  settings: ['configuration'],
  config: ['configuration'],
  license: ['licences'],
  licensing: ['licences'],
  'open source': ['licences', 'apache'],
  limit: ['limits'],
  'maximum size': ['limits'],
  'max size': ['limits'],
  'maximum file size': ['limits files', 'files'],
  'too large': ['limits'],
  big: ['limits', 'large', 'size'],
  quota: ['quotas', 'limits'],
  throttle: ['rate limit'],
  '429': ['rate limit'],
  'too many request': ['rate limit'],
  ram: ['memory'],
  cpu: ['processor'],
  hardware: ['sizing'],
  requirement: ['sizing'],
  monitoring: ['observability', 'metrics'],
  grafana: ['observability', 'metrics'],
  datadog: ['observability', 'traces'],
  logging: ['logs', 'observability'],
  tracing: ['traces', 'observability'],
  'disaster recovery': ['backup', 'restore'],
  pgbouncer: ['pooler', 'connections'],
  pooling: ['pooler', 'connections'],
  'connection pool': ['pooler', 'connections'],
  postgres: ['postgresql'],
  ssl: ['tls', 'https'],
  certificate: ['tls', 'ca'],
  'corporate proxy': ['proxy', 'outgoing connections'],
  firewall: ['outgoing', 'proxy'],
  'private network': ['private services', 'private addresses'],
  'internal api': ['private services', 'private addresses'],
  intranet: ['private services', 'private addresses'],
  localhost: ['private addresses'],
  vpn: ['private services', 'private addresses'],
  'delete old': ['retention'],
  cleanup: ['retention'],
  purge: ['retention'],
  prune: ['retention'],
  gdpr: ['retention', 'erase', 'export'],
  'personal data': ['retention', 'erase', 'export'],
  pii: ['secrets masked', 'redact'],
  'key rotation': ['rotate keys'],
  'encryption key': ['keys rotate'],
  secret: ['credentials'],
  vault: ['credentials', 'secrets'],
  update: ['upgrade'],
  downgrade: ['rollback'],
  migrate: ['upgrade', 'move'],
  'dev staging production': ['environments'],
  staging: ['environments'],
  'ci cd': ['environments', 'command line'],
  git: ['environments'],
  gitops: ['environments'],

  // Building
  while: ['repeat'],
  'while loop': ['repeat', 'loops'],
  loop: ['loops', 'for each', 'repeat'],
  'for loop': ['for each', 'loops'],
  foreach: ['for each'],
  iterate: ['for each', 'loops'],
  'each row': ['for each'],
  pagination: ['pages', 'loops'],
  paging: ['pages', 'loops'],
  'if else': ['condition'],
  branch: ['condition', 'switch'],
  'branch parallel': ['nodes same time'],
  'parallel branch': ['nodes same time'],
  parallel: ['same time', 'concurrency'],
  concurrent: ['concurrency', 'same time'],
  simultaneous: ['same time', 'concurrency'],
  step: ['node'],
  action: ['node', 'operation'],
  flow: ['workflow'],
  execution: ['run'],
  stop: ['cancel'],
  abort: ['cancel'],
  kill: ['cancel'],
  sleep: ['delay', 'wait'],
  wait: ['delay', 'wait'],
  cron: ['schedule'],
  cronjob: ['schedule'],
  timer: ['schedule', 'delay'],
  every: ['schedule'],
  'two people': ['several people'],
  debug: ['debug', 'error'],
  subworkflow: ['sub-workflow'],
  'sub workflow': ['sub-workflow'],
  'another workflow': ['sub-workflow'],
  'child workflow': ['sub-workflow'],
  'try catch': ['errors', 'error port'],
  exception: ['errors'],
  'dead letter': ['errors', 'retries'],
  notify: ['alert', 'mail'],
  'workflow fail': ['alerts run failed', 'error workflow'],
  'run fail': ['alerts run failed', 'error workflow'],
  alarm: ['alert'],
  approve: ['approval'],
  'human in the loop': ['approval'],
  review: ['approval'],
  state: ['remember'],
  'static data': ['remember'],
  persist: ['remember', 'tables'],
  js: ['javascript'],
  script: ['code'],
  function: ['code', 'expressions'],
  formula: ['expressions'],
  regex: ['regular expressions'],
  spreadsheet: ['xlsx', 'csv', 'google sheets'],
  excel: ['xlsx', 'microsoft'],
  upload: ['files'],
  attachment: ['files'],
  signature: ['signature', 'verification'],
  hmac: ['signature'],
  'http trigger': ['webhooks'],
  callback: ['webhooks', 'wait for call'],
  imap: ['email'],
  chatgpt: ['openai', 'language models'],
  gpt: ['openai', 'language models'],
  claude: ['anthropic', 'language models'],
  llm: ['language models'],
  ai: ['language models'],
  ollama: ['language models'],
  copilot: ['build with ai'],
  'own database': ['sql', 'private services'],
  'connect database': ['sql', 'private services'],
  mysql: ['sql'],
  mariadb: ['sql'],
  'sql server': ['sql'],
  swagger: ['openapi'],
  'custom integration': ['openapi', 'http'],
  integration: ['connectors'],
  zapier: ['import'],

  // Programs
  sdk: ['client'],
  library: ['client'],
  python: ['api'],
  curl: ['api'],
  rest: ['api'],
  terminal: ['command line'],
  cli: ['command line'],
  websocket: ['live events'],
  realtime: ['live events'],
  'real time': ['live events'],
  'live update': ['live events'],
  stream: ['live events'],
};

/**
 * Words that mean something else in the pages: the step of an agent, the action of a role. Their synonyms count more
 * than they do.
 */
const AMBIGUOUS_WORDS = new Set(['step', 'action', 'flow', 'environment', 'state'].map(stemWord));
const AMBIGUOUS_WORD_WEIGHT = 0.4;

/** A phrase of a search that has synonyms. */
export interface SynonymMatch {
  words: string[];
  /** The weight of its own words. */
  weight: number;
  /** Words of the search that it takes, those between its own included. */
  length: number;
  alternatives: string[][];
}

const SYNONYMS_BY_STEMS = new Map(
  Object.entries(SEARCH_SYNONYMS).map(([phrase, alternatives]) => [
    splitIntoWords(phrase).map(stemWord).join(' '),
    alternatives.map(splitIntoWords),
  ]),
);
const MAX_PHRASE_WORDS = Math.max(...Object.keys(SEARCH_SYNONYMS).map((phrase) => splitIntoWords(phrase).length));

/**
 * The longest phrase with synonyms that begins at a word. Words that say nothing may stand between its words:
 * `forgot my password`.
 */
export function findSynonyms(words: readonly string[], stems: readonly string[], at: number): SynonymMatch | undefined {
  const rest = words.map((_, index) => index).slice(at);
  const telling = rest.filter((index) => index === at || !isFillerWord(words[index] ?? ''));
  for (let length = Math.min(MAX_PHRASE_WORDS, rest.length); length > 0; length -= 1) {
    for (const places of [rest.slice(0, length), telling.slice(0, length)]) {
      const alternatives = SYNONYMS_BY_STEMS.get(places.map((index) => stems[index]).join(' '));
      if (!alternatives) continue;
      const isOtherwiseUsed = length === 1 && AMBIGUOUS_WORDS.has(stems[at] ?? '');
      return {
        words: places.map((index) => words[index] ?? ''),
        weight: isOtherwiseUsed ? AMBIGUOUS_WORD_WEIGHT : 1,
        length: (places.at(-1) ?? at) - at + 1,
        alternatives,
      };
    }
  }
  return undefined;
}
