import type { Connector } from '@/server/connectors/connector';
import { operationsOf } from '@/server/connectors/catalogue';
import { cell, fieldRows, table } from './schema-table';

/** The page of a connector as Markdown, generated from its record. */
export function connectorPage(connector: Connector): string {
  const { id, name, description, setup, scopes, optionalScopes, parameters = [] } = connector;
  return [
    `# ${name}`,
    description,
    `Connector id: \`${id}\`. The node [Service](/docs/nodes/connector) calls its operations; [connecting accounts](/docs/connecting) explains credentials.`,
    '## Set-up',
    setup,
    `The operator can register one app for all workspaces with \`CONNECTOR_${id.toUpperCase()}_CLIENT_ID\` and \`CONNECTOR_${id.toUpperCase()}_CLIENT_SECRET\`.`,
    ...(parameters.length
      ? [
          table(
            ['Setting of an account', 'Rule'],
            parameters.map(({ title, rule }) => [cell(title), cell(rule)]),
          ),
        ]
      : []),
    '## Scopes',
    table(
      ['Scope', 'Requested'],
      [
        ...Object.keys(scopes).map((scope) => [`\`${scope}\``, 'by default']),
        ...Object.keys(optionalScopes ?? {}).map((scope) => [`\`${scope}\``, 'if chosen']),
      ],
    ),
    '## Operations',
    ...operationsOf(connector).flatMap((operation) => {
      const rows = fieldRows(operation.parameters);
      return [
        `### ${operation.title}`,
        `\`operation: ${operation.id}\``,
        rows.length ? table(['Parameter', 'Type', 'Meaning'], rows) : 'It has no parameters.',
      ];
    }),
  ].join('\n\n');
}
