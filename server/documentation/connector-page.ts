import type { Connector } from '@/server/connectors/connector';
import { operationsOf, type DescribedOperation } from '@/server/connectors/catalogue';
import { cell, fieldRows, table } from './schema-table';

/** The page of a connector as Markdown, generated from its record. */
export function connectorPage(connector: Connector): string {
  const { id, name, description, parameters = [], services = [] } = connector;
  return [
    `# ${name}`,
    description,
    `Connector id: \`${id}\`. The node [Service](/docs/nodes/connector) calls its operations; [connecting accounts](/docs/connecting) explains credentials.`,
    '## Set-up',
    ...setUp(connector),
    ...(parameters.length
      ? [
          table(
            ['Setting of an account', 'Rule'],
            parameters.map(({ title, rule }) => [cell(title), cell(rule)]),
          ),
        ]
      : []),
    ...scopeTable(connector),
    ...(services.length
      ? services.flatMap((service) => [
          `## ${service.name}`,
          service.description,
          ...operationsOf(connector)
            .filter((operation) => operation.id.startsWith(`${service.id}.`))
            .flatMap(operationSection),
        ])
      : ['## Operations', ...operationsOf(connector).flatMap(operationSection)]),
  ].join('\n\n');
}

function setUp({ id, name, flow, token, setup }: Connector): string[] {
  const variable = `CONNECTOR_${id.toUpperCase()}`;
  const byToken = token ? [`**${token.title}**: ${token.setup}`] : [];
  if (flow === 'token') return byToken;
  return [
    ...byToken,
    token ? `**Sign in at ${name}**: ${setup}` : setup,
    `The operator can register one app for all workspaces with \`${variable}_CLIENT_ID\` and \`${variable}_CLIENT_SECRET\`.`,
  ];
}

function scopeTable({ scopes, optionalScopes = {} }: Connector): string[] {
  const rows = [
    ...Object.keys(scopes).map((scope) => [`\`${scope}\``, 'by default']),
    ...Object.keys(optionalScopes).map((scope) => [`\`${scope}\``, 'if chosen']),
  ];
  return rows.length > 0 ? ['## Scopes', table(['Scope', 'Requested'], rows)] : [];
}

function operationSection({ id, title, description, limits, parameters, example, poll }: DescribedOperation): string[] {
  const rows = fieldRows(parameters);
  return [
    `### ${title}`,
    [`\`operation: ${id}\``, description].filter(Boolean).join('. '),
    ...(limits ? [`Limits of the provider: ${limits}`] : []),
    ...(poll ? [`It can be the source of a [poll](/docs/polling): *${poll.title}*.`] : []),
    rows.length ? table(['Parameter', 'Type', 'Meaning'], rows) : 'It has no parameters.',
    ...(example === undefined
      ? []
      : ['The `body` of its output:', `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``]),
  ];
}
