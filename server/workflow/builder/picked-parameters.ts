import { findBuiltInConnector } from '@/server/connectors';
import { describeEvents, describeOperations } from '@/server/connectors/catalogue';
import { isSearchedByService, type ConnectorChoiceSource } from '@/server/connectors/choices';

/** A parameter whose value is picked. */
export interface PickedParameter {
  name: string;
  /** What people call it. */
  title: string;
  source: string;
  isSearched: boolean;
  /** An email address is no id that could be invented. */
  takesAddresses: boolean;
  dependsOn: readonly string[];
  /** Fields that may be empty. */
  uses: readonly string[];
  /** Between the values of a text that holds several. */
  separator: string | undefined;
  /** The type of one value. */
  type: 'text' | 'number';
}

type SchemaFields = Record<string, unknown>;

/** A service that names things by what people call them takes the name as it is. */
const isNamedByLabel = (source: ConnectorChoiceSource): boolean =>
  'choices' in source || (source.label.length === 1 && source.label[0] === source.value);

/** The picked parameters of an operation or of an event, those first on which others depend. */
export function listPickedParameters(
  connectorId: string,
  { operation, event }: { operation: string; event?: undefined } | { event: string; operation?: undefined },
): PickedParameter[] {
  const connector = findBuiltInConnector(connectorId);
  if (!connector) return [];
  const described =
    operation === undefined
      ? describeEvents(connector).find(({ id }) => id === event)
      : describeOperations(connector).find(({ id }) => id === operation);
  const properties = Object.entries((described?.parameters['properties'] ?? {}) as Record<string, SchemaFields>);
  return properties
    .flatMap(([name, schema]): PickedParameter[] => {
      const choices = schema['x-choices'] as { source: string; dependsOn: string[]; uses?: string[] } | undefined;
      const source = choices && connector.choices?.[choices.source];
      if (!source || 'choices' in source || isNamedByLabel(source)) return [];
      const { type } = (schema['items'] ?? schema) as SchemaFields;
      return [
        {
          name,
          title: String(schema['title'] ?? name),
          source: choices.source,
          isSearched: isSearchedByService(source),
          takesAddresses: source.takesAddresses === true,
          dependsOn: choices.dependsOn,
          uses: choices.uses ?? [],
          separator: schema['x-separator'] as string | undefined,
          type: type === 'integer' || type === 'number' ? 'number' : 'text',
        },
      ];
    })
    .toSorted((one, other) => one.dependsOn.length - other.dependsOn.length);
}
