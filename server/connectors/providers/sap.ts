import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { SteppedChoiceSource } from '../choices';
import type { ConnectorDefinition } from '../connector';
import type { ApiRequest, ApiResponse, ConnectorPaging } from '../operation';
import {
  countParameter,
  listedJoinedParameter,
  listedLineParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../parameters';

// OData 2: https://help.sap.com/docs/SAP_S4HANA_CLOUD, "OData Services (V2)"
const sapAddressPaging: ConnectorPaging = { kind: 'address', at: 'd.__next' };
const sapListParameters = (fields: string) => ({
  filter: valueLineParameter("Filter, e.g. Country eq 'DE'", 'query', 4000).optional(),
  select: listedJoinedParameter('Fields, parted by commas', fields, [], 4000).optional(),
  top: countParameter('Items', 5000).optional(),
});
const sapODataNames = { filter: '$filter', select: '$select', top: '$top' };
const BUSINESS_PARTNERS_PATH = '/API_BUSINESS_PARTNER/A_BusinessPartner';

const SALES_ORDERS_PATH = '/API_SALES_ORDER_SRV/A_SalesOrder';
const PRODUCTS_PATH = '/API_PRODUCT_SRV/A_Product';
const SAP_CHOICE_PAGE = 100;

/** The fields of the first record: the description of a service is XML. Those that lead elsewhere are objects. */
function* readSapFields(path: string): Generator<ApiRequest, { items: unknown[] }, ApiResponse> {
  const { body } = yield { path, query: { $top: 1 } };
  const [first] = (getAtPath(body, 'd.results') ?? []) as unknown[];
  const fields = Object.entries((first ?? {}) as Record<string, unknown>).filter(
    ([, value]) => typeof value !== 'object' || value === null,
  );
  return { items: fields.map(([name, value]) => ({ name, type: typeof value })) };
}
const sapFieldSource = (path: string): SteppedChoiceSource => ({
  steps: () => readSapFields(path),
  value: 'name',
  label: ['name'],
});
const sapColumnSource = (path: string): SteppedChoiceSource => ({
  ...sapFieldSource(path),
  column: { type: 'type', types: { number: 'number', boolean: 'boolean' } },
});

/** A page of choices, and how many items come before the next one. */
function toSapPage(body: unknown, page: string | null): { items: unknown[]; next: string | null } {
  const results = getAtPath(body, 'd.results');
  const items = Array.isArray(results) ? (results as unknown[]) : [];
  return { items, next: items.length === SAP_CHOICE_PAGE ? String(Number(page ?? 0) + SAP_CHOICE_PAGE) : null };
}

export const sapConnector: ConnectorDefinition = {
  id: 'sap',
  name: 'SAP S/4HANA',
  description: 'Business partners, sales orders and products of an SAP system.',
  synonyms: ['erp', 's4hana', 'odata'],
  flow: 'client_credentials',
  // Every system has addresses of its own, shown in its communication arrangement: the token address, and the API's,
  // e.g. https://my000000-api.s4hana.cloud.sap/sap/opu/odata/sap https://help.sap.com/docs/SAP_S4HANA_CLOUD, "OAuth 2.0
  // Client Credentials"
  scopes: {},
  clientAuthentication: 'basic',
  headers: { Accept: 'application/json' },
  // https://help.sap.com/docs/ABAP_PLATFORM_NEW, "Cross-Site Request Forgery Protection"
  hasCsrfTokens: true,
  setup:
    'Make a communication arrangement with OAuth 2.0 client credentials. Its client id, secret, token address and API address go here.',
  probe: { path: '/API_BUSINESS_PARTNER/A_BusinessPartner?$top=1' },
  choices: {
    business_partner_fields: sapFieldSource(BUSINESS_PARTNERS_PATH),
    sales_order_fields: sapFieldSource(SALES_ORDERS_PATH),
    product_fields: sapFieldSource(PRODUCTS_PATH),
    business_partner_columns: sapColumnSource(BUSINESS_PARTNERS_PATH),
    sales_order_columns: sapColumnSource(SALES_ORDERS_PATH),
    business_partners: {
      searches: true,
      *steps({ search, page }) {
        const text = search.replaceAll("'", "''");
        const query = {
          $select: 'BusinessPartner,BusinessPartnerFullName',
          $filter: text === '' ? undefined : `substringof('${text}',BusinessPartnerFullName)`,
          $top: SAP_CHOICE_PAGE,
          $skip: page ?? undefined,
        };
        return toSapPage((yield { path: BUSINESS_PARTNERS_PATH, query }).body, page);
      },
      value: 'BusinessPartner',
      label: ['BusinessPartnerFullName'],
      hint: 'BusinessPartner',
    },
    sales_orders: {
      searches: true,
      *steps({ search, page }) {
        const text = search.replaceAll("'", "''");
        const query = {
          $select: 'SalesOrder,SoldToParty,PurchaseOrderByCustomer',
          $filter: text === '' ? undefined : `startswith(SalesOrder,'${text}')`,
          $top: SAP_CHOICE_PAGE,
          $skip: page ?? undefined,
        };
        return toSapPage((yield { path: SALES_ORDERS_PATH, query }).body, page);
      },
      value: 'SalesOrder',
      label: ['SalesOrder'],
      hint: 'PurchaseOrderByCustomer',
    },
  },
  operations: [
    {
      id: 'business_partners.list',
      title: 'List business partners',
      method: 'GET',
      path: BUSINESS_PARTNERS_PATH,
      inQuery: sapListParameters('business_partner_fields'),
      names: sapODataNames,
      items: 'd.results',
      paging: sapAddressPaging,
    },
    {
      id: 'business_partners.get',
      title: 'Get a business partner',
      method: 'GET',
      path: `${BUSINESS_PARTNERS_PATH}('{id}')`,
      inPath: { id: listedLineParameter('Business partner', 'business_partners', [], 10) },
    },
    {
      id: 'addresses.list',
      title: 'List the addresses of a business partner',
      method: 'GET',
      path: `${BUSINESS_PARTNERS_PATH}('{id}')/to_BusinessPartnerAddress`,
      inPath: { id: listedLineParameter('Business partner', 'business_partners', [], 10) },
      items: 'd.results',
      paging: sapAddressPaging,
    },
    {
      id: 'business_partners.create',
      title: 'Create a business partner',
      method: 'POST',
      path: BUSINESS_PARTNERS_PATH,
      inBody: {
        values: someColumnsParameter('Fields', 'business_partner_columns').describe(
          'For example BusinessPartnerCategory and OrganizationBPName1',
        ),
      },
      wholeBody: 'values',
    },
    {
      id: 'business_partners.update',
      title: 'Update a business partner',
      method: 'PATCH',
      path: `${BUSINESS_PARTNERS_PATH}('{id}')`,
      inPath: { id: listedLineParameter('Business partner', 'business_partners', [], 10) },
      inBody: { values: someColumnsParameter('Fields', 'business_partner_columns') },
      wholeBody: 'values',
      headers: { 'If-Match': '*' },
    },
    {
      id: 'sales_orders.list',
      title: 'List sales orders',
      method: 'GET',
      path: SALES_ORDERS_PATH,
      inQuery: sapListParameters('sales_order_fields'),
      names: sapODataNames,
      items: 'd.results',
      paging: sapAddressPaging,
    },
    {
      id: 'sales_orders.get',
      title: 'Get a sales order',
      method: 'GET',
      path: "/API_SALES_ORDER_SRV/A_SalesOrder('{id}')",
      inPath: { id: listedLineParameter('Sales order', 'sales_orders', [], 10) },
    },
    {
      id: 'sales_orders.create',
      title: 'Create a sales order',
      method: 'POST',
      path: SALES_ORDERS_PATH,
      inBody: {
        values: someColumnsParameter('Fields', 'sales_order_columns').describe(
          'For example SalesOrderType, SoldToParty and to_Item',
        ),
      },
      wholeBody: 'values',
    },
    {
      id: 'products.list',
      title: 'List products',
      method: 'GET',
      path: PRODUCTS_PATH,
      inQuery: sapListParameters('product_fields'),
      names: sapODataNames,
      items: 'd.results',
      paging: sapAddressPaging,
    },
  ],
};
