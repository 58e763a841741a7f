import { findOperationServiceId } from '@/contract/connectors/connector-icons';
import type { ConnectorDefinition } from '@/server/connectors/connector';
import { describeOperations, type DescribedOperation } from '@/server/connectors/catalogue';
import { markdownCell, schemaFieldRows, markdownTable } from './schema-table';

/** The page of a connector as Markdown, generated from its record. */
export function buildConnectorPage(connector: ConnectorDefinition): string {
  const { id, name, description, parameters = [], services = [] } = connector;
  return [
    `# ${name}`,
    description,
    `Connector id: \`${id}\`. The node [Service](/docs/nodes/connector) calls its operations; [connecting accounts](/docs/connecting) explains credentials.`,
    '## Set-up',
    ...connectorSetupText(connector),
    ...(parameters.length
      ? [
          markdownTable(
            ['Setting of an account', 'Rule'],
            parameters.map(({ title, rule }) => [markdownCell(title), markdownCell(rule)]),
          ),
        ]
      : []),
    ...connectorScopeTable(connector),
    ...connectorLimitText(connector),
    ...(services.length
      ? services.flatMap((service) => [
          `## ${service.name}`,
          service.description,
          ...describeOperations(connector)
            .filter((operation) => findOperationServiceId(id, operation.id) === service.id)
            .flatMap(operationSection),
        ])
      : ['## Operations', ...describeOperations(connector).flatMap(operationSection)]),
  ].join('\n\n');
}

function connectorSetupText({ id, name, flow, token, setup }: ConnectorDefinition): string[] {
  const variable = `CONNECTOR_${id.toUpperCase()}`;
  const byToken = token ? [`**${token.title}**: ${token.setup}`] : [];
  if (flow === 'token') return byToken;
  return [
    ...byToken,
    token ? `**Sign in at ${name}**: ${setup}` : setup,
    `The operator can register one app for all workspaces with \`${variable}_CLIENT_ID\` and \`${variable}_CLIENT_SECRET\`.`,
  ];
}

function connectorScopeTable({ scopes, optionalScopes = {} }: ConnectorDefinition): string[] {
  const rows = [
    ...Object.keys(scopes).map((scope) => [`\`${scope}\``, 'by default']),
    ...Object.keys(optionalScopes).map((scope) => [`\`${scope}\``, 'if chosen']),
  ];
  return rows.length > 0 ? ['## Scopes', markdownTable(['Scope', 'Requested'], rows)] : [];
}

function connectorLimitText({ name, limits }: ConnectorDefinition): string[] {
  if (!limits) return [];
  const { perMinute, concurrent, source } = limits;
  const facts = [
    ...(perMinute === undefined ? [] : [`${perMinute.toLocaleString('en-US')} calls a minute`]),
    ...(concurrent === undefined ? [] : [`${concurrent.toLocaleString('en-US')} calls at the same time`]),
  ];
  const text = facts.length > 0 ? `${name} allows an account about ${facts.join(' and ')}` : `${name} limits calls`;
  return [
    '## Limits of the provider',
    `${text}: [what it says](${source}). Calls are not held back here: pause between many of them.`,
  ];
}

function operationSection({ id, title, description, limits, parameters, example, poll }: DescribedOperation): string[] {
  const rows = schemaFieldRows(parameters);
  return [
    `### ${title}`,
    [`\`operation: ${id}\``, description].filter(Boolean).join('. '),
    ...(limits ? [`Limits of the provider: ${limits}`] : []),
    ...(poll ? [`It can be the source of a [poll](/docs/polling): *${poll.title}*.`] : []),
    rows.length ? markdownTable(['Parameter', 'Type', 'Meaning'], rows) : 'It has no parameters.',
    ...(example === undefined
      ? []
      : ['The `body` of its output:', `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``]),
  ];
}
