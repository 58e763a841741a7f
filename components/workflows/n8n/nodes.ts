import type { Node } from '@/contract/workflows/workflow';
import { bag, condition, jsonata, list, template, type Names } from './expressions';
import type { N8nNode } from './n8n-file';

/** A node as Weft has it. `ports`: the names of its outputs, in n8n's order. */
export interface Converted {
  type: Node['type'];
  config: Node['config'];
  ports?: string[];
  /** What has to be looked at, as sentences without the name of the node. */
  remarks: string[];
}

type Convert = (node: N8nNode, names: Names) => Converted;

const SHORT = /\.([\w-]+)$/;
export const shortType = ({ type }: N8nNode): string => SHORT.exec(type)?.[1] ?? type;

const TRIGGERS = new Set(['start', 'webhook', 'cron', 'interval', 'emailReadImap']);
export const isTrigger = (node: N8nNode): boolean => TRIGGERS.has(shortType(node)) || /trigger$/i.test(shortType(node));

/** A config with the expressions of n8n rewritten, and a remark for each that has no counterpart. */
function written(type: string, config: Record<string, unknown>, names: Names, remarks: string[] = []): Converted {
  const { value, lost } = template(config, names);
  const entries = Object.entries(value as Record<string, unknown>).filter(([, part]) => part !== undefined);
  return {
    type,
    config: Object.fromEntries(entries),
    remarks: [...remarks, ...lost.map((source) => `the expression \`${source.slice(0, 100)}\` has no counterpart`)],
  };
}

const pairs = (value: unknown): Record<string, unknown> | undefined => {
  const all = list(bag(value).parameters);
  return all.length === 0 ? undefined : Object.fromEntries(all.map(({ name, value: text }) => [String(name), text]));
};

const httpRequest: Convert = ({ parameters, credentials }, names) => {
  const { url, method, requestMethod, jsonBody, body } = parameters;
  const json = typeof jsonBody === 'string' && !jsonBody.startsWith('=') ? parsed(jsonBody) : jsonBody;
  const config = {
    url,
    method: method ?? requestMethod ?? 'GET',
    query: pairs(parameters.queryParameters),
    headers: pairs(parameters.headerParameters),
    body: json ?? pairs(parameters.bodyParameters) ?? body,
  };
  const isSigned = credentials !== undefined || (parameters.authentication ?? 'none') !== 'none';
  return written('http_request', config, names, isSigned ? ['choose its credential'] : []);
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const branch: Convert = ({ parameters }, names) => {
  const expression = condition(parameters, names);
  const remarks = expression === undefined ? ['rewrite its condition'] : [];
  return {
    type: 'condition',
    config: expression === undefined ? {} : { expression },
    ports: ['true', 'false'],
    remarks,
  };
};

const filter: Convert = ({ parameters }, names) => {
  const where = condition(parameters, names)?.replaceAll(/\binput\b/g, 'item');
  const remarks = where === undefined ? ['rewrite its rules'] : [];
  return { type: 'filter', config: { items: 'input', ...(where === undefined ? {} : { where }) }, remarks };
};

const choose: Convert = ({ parameters }, names) => {
  const rules = list(bag(parameters.rules).values ?? bag(parameters.rules).rules);
  const cases = rules.map((rule, index) => ({
    test: condition(rule, names),
    port: String(rule.outputKey ?? `case ${index + 1}`),
    value: index,
  }));
  const isWhole = cases.length > 0 && cases.every(({ test }) => test !== undefined);
  const expression = `${cases.map(({ test, value }) => `${test} ? ${value} : `).join('')}-1`;
  return {
    type: 'switch',
    config: { ...(isWhole ? { expression } : {}), cases: cases.map(({ value, port }) => ({ value, port })) },
    ports: [...cases.map(({ port }) => port), 'default'],
    remarks: isWhole ? [] : ['rewrite its value and cases'],
  };
};

const set: Convert = ({ parameters }, names) => {
  const assigned = list(bag(parameters.assignments).assignments);
  const before = Object.values(bag(parameters.values)).flatMap(list);
  const fields = Object.fromEntries([...assigned, ...before].map(({ name, value }) => [String(name), value]));
  const keeps = parameters.includeOtherFields === true || (before.length > 0 && parameters.keepOnlySet !== true);
  const raw =
    parameters.mode === 'raw' && typeof parameters.jsonOutput === 'string' ? parsed(parameters.jsonOutput) : undefined;
  const given = typeof raw === 'object' && raw !== null ? raw : fields;
  return written(
    'transform',
    { fields: given },
    names,
    keeps ? ['it drops the other fields: add those that are needed'] : [],
  );
};

const code: Convert = ({ parameters }) => {
  const source = String(parameters.jsCode ?? parameters.functionCode ?? '');
  if (parameters.language === 'python' || source === '') {
    return { type: 'code', config: { source: 'return input;' }, remarks: ['rewrite its code in JavaScript'] };
  }
  const shim = [
    '// What n8n calls them.',
    'const items = (Array.isArray(input) ? input : [input]).map((json) => ({ json }));',
    'const $json = items[0]?.json;',
    'const $input = { all: () => items, first: () => items[0], last: () => items.at(-1), item: items[0] };',
  ];
  const text = `${shim.join('\n')}\nconst result = await (async () => {\n${source}\n})();\nreturn Array.isArray(result) ? result.map((item) => item?.json ?? item) : (result?.json ?? result);`;
  return { type: 'code', config: { source: text }, remarks: ['check its code: names such as $node do not exist here'] };
};

const UNITS: Record<string, number> = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

const wait: Convert = ({ parameters }) => {
  const { resume, amount = 1, unit = 'seconds' } = parameters;
  if (resume === 'webhook' || resume === 'form')
    return { type: 'wait_for_call', config: { expiresInMs: 86_400_000 }, remarks: ['it waits for a day at most'] };
  const durationMs = Number(amount) * (UNITS[String(unit)] ?? 1000);
  return Number.isFinite(durationMs)
    ? { type: 'delay', config: { durationMs }, remarks: [] }
    : { type: 'delay', config: {}, remarks: ['enter how long it waits'] };
};

const respond: Convert = ({ parameters }, names) => {
  const { respondWith = 'firstIncomingItem', responseBody } = parameters;
  const { responseCode } = bag(parameters.options);
  const body = respondWith === 'json' || respondWith === 'text' ? responseBody : '={{ $json }}';
  const plain = typeof body === 'string' && !body.startsWith('=') ? parsed(body) : body;
  return written(
    'respond',
    { body: plain, status: typeof responseCode === 'number' ? responseCode : undefined },
    names,
  );
};

const mail: Convert = ({ parameters, credentials }, names) => {
  const { toEmail, sendTo, subject, text, html, message, ccEmail } = parameters;
  const config = { to: toEmail ?? sendTo, subject, template: html ?? text ?? message, cc: ccEmail };
  return written(
    'send_email',
    config,
    names,
    credentials ? ['choose its email server, unless it is that of the service'] : [],
  );
};

const sql =
  (database: string): Convert =>
  ({ parameters: { query } }) => {
    const isPlain = typeof query === 'string' && !query.startsWith('=');
    const remarks = [`choose its ${database} credential`, ...(isPlain ? [] : ['rewrite its statement'])];
    return { type: 'sql', config: isPlain ? { statement: query } : {}, remarks };
  };

const pick: Convert = ({ parameters: { fieldToSplitOut } }, names) => {
  const path = jsonata(`$json.${String(fieldToSplitOut ?? 'items')}`, names) ?? 'input';
  return { type: 'transform', config: { expression: `[${path}]` }, remarks: [] };
};

const CONVERSIONS: Readonly<Record<string, Convert>> = {
  httpRequest,
  if: branch,
  filter,
  switch: choose,
  set,
  code,
  function: code,
  functionItem: code,
  wait,
  respondToWebhook: respond,
  emailSend: mail,
  gmail: mail,
  postgres: sql('PostgreSQL'),
  mySql: sql('MySQL'),
  splitOut: pick,
  noOp: () => ({ type: 'transform', config: { expression: 'input' }, remarks: [] }),
  removeDuplicates: () => ({ type: 'dedupe', config: { items: 'input' }, remarks: ['check what it compares'] }),
  executeWorkflow: () => ({ type: 'sub_workflow', config: {}, remarks: ['choose its workflow'] }),
  splitInBatches: () => ({ type: 'for_each', config: { items: 'input' }, remarks: ['it takes one item at a time'] }),
  merge: () => ({ type: 'merge', config: { mode: 'append' }, remarks: ['check how it joins its inputs'] }),
};

/** A node of n8n as a node of Weft. One without a counterpart passes its input on, and keeps its settings in its notes. */
export function convertNode(node: N8nNode, names: Names): Converted {
  const found = CONVERSIONS[shortType(node)]?.(node, names);
  return (
    found ?? {
      type: 'transform',
      config: { expression: 'input' },
      remarks: [`has no counterpart (${shortType(node)}): it passes its input on`],
    }
  );
}
