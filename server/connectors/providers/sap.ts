import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import type { ConnectorDefinition } from '../connector';
import type { ConnectorPaging } from '../operation';
import { countParameter, jsonObjectParameter, listedLineParameter, valueLineParameter } from '../parameters';

// OData 2: https://help.sap.com/docs/SAP_S4HANA_CLOUD, "OData Services (V2)"
const sapAddressPaging: ConnectorPaging = { kind: 'address', at: 'd.__next' };
const sapListParameters = {
  filter: valueLineParameter("Filter, e.g. Country eq 'DE'", 'query', 4000).optional(),
  select: valueLineParameter('Fields, parted by commas', 'not listed', 4000).optional(),
  top: countParameter('Items', 5000).optional(),
};
const sapODataNames = { filter: '$filter', select: '$select', top: '$top' };
const BUSINESS_PARTNERS_PATH = '/API_BUSINESS_PARTNER/A_BusinessPartner';

const SALES_ORDERS_PATH = '/API_SALES_ORDER_SRV/A_SalesOrder';
const SAP_CHOICE_PAGE = 100;

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
      inQuery: sapListParameters,
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
        values: jsonObjectParameter('Fields').describe('For example BusinessPartnerCategory and OrganizationBPName1'),
      },
      wholeBody: 'values',
    },
    {
      id: 'business_partners.update',
      title: 'Update a business partner',
      method: 'PATCH',
      path: `${BUSINESS_PARTNERS_PATH}('{id}')`,
      inPath: { id: listedLineParameter('Business partner', 'business_partners', [], 10) },
      inBody: { values: jsonObjectParameter('Fields') },
      wholeBody: 'values',
      headers: { 'If-Match': '*' },
    },
    {
      id: 'sales_orders.list',
      title: 'List sales orders',
      method: 'GET',
      path: SALES_ORDERS_PATH,
      inQuery: sapListParameters,
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
      inBody: { values: jsonObjectParameter('Fields').describe('For example SalesOrderType, SoldToParty and to_Item') },
      wholeBody: 'values',
    },
    {
      id: 'products.list',
      title: 'List products',
      method: 'GET',
      path: '/API_PRODUCT_SRV/A_Product',
      inQuery: sapListParameters,
      names: sapODataNames,
      items: 'd.results',
      paging: sapAddressPaging,
    },
  ],
};
