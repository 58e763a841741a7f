import type { ColumnValueType } from '@/contract/choices';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ColumnPaths, ConnectorChoiceSource, SteppedChoiceSource } from '../choices';

// https://learn.microsoft.com/power-apps/developer/data-platform/webapi/reference/attributetypecode: a lookup is
// written by another name, with an address as its value.
const DATAVERSE_TYPES: Readonly<Record<string, ColumnValueType | null>> = {
  BigInt: 'number',
  Boolean: 'boolean',
  DateTime: 'timestamp',
  Decimal: 'number',
  Double: 'number',
  Integer: 'number',
  Money: 'number',
  Picklist: 'number',
  State: 'number',
  Status: 'number',
  CalendarRules: null,
  Customer: null,
  EntityName: null,
  Lookup: null,
  ManagedProperty: null,
  Owner: null,
  PartyList: null,
  Virtual: null,
};

const dataverseColumn: ColumnPaths = { type: 'type', types: DATAVERSE_TYPES };

const textLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const listValues = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The columns of a table, which is named by one of its two names. */
const columnsOfTable = (
  table: { logicalName: string } | 'table',
): Pick<SteppedChoiceSource, 'dependsOn' | 'steps' | 'value' | 'label' | 'hint'> => ({
  ...(table === 'table' ? { dependsOn: ['table'] } : {}),
  // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/query-metadata-web-api
  *steps({ values }) {
    const name = table === 'table' ? ['EntitySetName', values['table'] ?? ''] : ['LogicalName', table.logicalName];
    const attributes =
      'LogicalName,DisplayName,AttributeType,RequiredLevel,IsValidForCreate,IsValidForUpdate,IsValidForRead';
    const query = {
      $select: 'LogicalName',
      $filter: `${name[0]} eq ${textLiteral(name[1] ?? '')}`,
      $expand: `Attributes($select=${attributes})`,
    };
    const { body } = yield { path: '/EntityDefinitions', query };
    const items = listValues(getAtPath(body, 'value.0.Attributes')).map((one) => ({
      name: getAtPath(one, 'LogicalName'),
      label: getAtPath(one, 'DisplayName.UserLocalizedLabel.Label'),
      type: getAtPath(one, 'AttributeType'),
      isRequired: ['ApplicationRequired', 'SystemRequired'].includes(String(getAtPath(one, 'RequiredLevel.Value'))),
      isReadable: getAtPath(one, 'IsValidForRead'),
      isCreatable: getAtPath(one, 'IsValidForCreate'),
      isChangeable: getAtPath(one, 'IsValidForUpdate'),
    }));
    return { items };
  },
  value: 'name',
  label: ['label', 'name'],
  hint: 'name',
});

const ACCOUNT = columnsOfTable({ logicalName: 'account' });
const CONTACT = columnsOfTable({ logicalName: 'contact' });

/** What lists the choices of Dynamics 365. */
export const dynamicsChoices: Record<string, ConnectorChoiceSource> = {
  tables: {
    operation: 'tables.list',
    value: 'EntitySetName',
    label: ['DisplayName.UserLocalizedLabel.Label', 'LogicalName'],
    hint: 'LogicalName',
  },
  fields: { ...columnsOfTable('table'), where: { at: 'isReadable', is: [true] } },
  account_fields: { ...ACCOUNT, where: { at: 'isReadable', is: [true] } },
  contact_fields: { ...CONTACT, where: { at: 'isReadable', is: [true] } },
  opportunity_fields: { ...columnsOfTable({ logicalName: 'opportunity' }), where: { at: 'isReadable', is: [true] } },
  account_columns: {
    ...ACCOUNT,
    where: { at: 'isCreatable', is: [true] },
    column: { ...dataverseColumn, isRequired: { when: 'isRequired' } },
  },
  changed_account_columns: { ...ACCOUNT, where: { at: 'isChangeable', is: [true] }, column: dataverseColumn },
  contact_columns: {
    ...CONTACT,
    where: { at: 'isCreatable', is: [true] },
    column: { ...dataverseColumn, isRequired: { when: 'isRequired' } },
  },
  accounts: {
    searches: true,
    *steps({ search }) {
      const filter = search === '' ? undefined : `contains(name,${textLiteral(search)})`;
      const query = { $select: 'accountid,name,emailaddress1', $filter: filter, $orderby: 'name', $top: 100 };
      return { items: listValues(getAtPath((yield { path: '/accounts', query }).body, 'value')) };
    },
    value: 'accountid',
    label: ['name'],
    hint: 'emailaddress1',
  },
};
