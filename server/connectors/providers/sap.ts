import type { Connector } from '../connector';
import type { Paging } from '../operation';
import { count, fields, word } from '../parameters';

// OData 2: https://help.sap.com/docs/SAP_S4HANA_CLOUD, "OData Services (V2)"
const paging: Paging = { kind: 'address', at: 'd.__next' };
const list = {
  filter: word("Filter, e.g. Country eq 'DE'", 4000).optional(),
  select: word('Fields, parted by commas', 4000).optional(),
  top: count('Items', 5000).optional(),
};
const names = { filter: '$filter', select: '$select', top: '$top' };
const partners = '/API_BUSINESS_PARTNER/A_BusinessPartner';

export const sap: Connector = {
  id: 'sap',
  name: 'SAP S/4HANA',
  description: 'Business partners, sales orders and products of an SAP system.',
  synonyms: ['erp', 's4hana', 'odata'],
  flow: 'client_credentials',
  // Every system has addresses of its own, shown in its communication arrangement: the token address, and the API's, e.g.
  // https://my000000-api.s4hana.cloud.sap/sap/opu/odata/sap
  // https://help.sap.com/docs/SAP_S4HANA_CLOUD, "OAuth 2.0 Client Credentials"
  scopes: {},
  clientAuthentication: 'basic',
  headers: { Accept: 'application/json' },
  // https://help.sap.com/docs/ABAP_PLATFORM_NEW, "Cross-Site Request Forgery Protection"
  hasCsrfTokens: true,
  setup:
    'Make a communication arrangement with OAuth 2.0 client credentials. Its client id, secret, token address and API address go here.',
  probe: { path: '/API_BUSINESS_PARTNER/A_BusinessPartner?$top=1' },
  operations: [
    {
      id: 'business_partners.list',
      title: 'List business partners',
      method: 'GET',
      path: partners,
      inQuery: list,
      names,
      items: 'd.results',
      paging,
    },
    {
      id: 'business_partners.get',
      title: 'Get a business partner',
      method: 'GET',
      path: `${partners}('{id}')`,
      inPath: { id: word('Business partner', 10) },
    },
    {
      id: 'addresses.list',
      title: 'List the addresses of a business partner',
      method: 'GET',
      path: `${partners}('{id}')/to_BusinessPartnerAddress`,
      inPath: { id: word('Business partner', 10) },
      items: 'd.results',
      paging,
    },
    {
      id: 'business_partners.create',
      title: 'Create a business partner',
      method: 'POST',
      path: partners,
      inBody: { values: fields('Fields, e.g. BusinessPartnerCategory, OrganizationBPName1') },
      wholeBody: 'values',
    },
    {
      id: 'business_partners.update',
      title: 'Update a business partner',
      method: 'PATCH',
      path: `${partners}('{id}')`,
      inPath: { id: word('Business partner', 10) },
      inBody: { values: fields('Fields') },
      wholeBody: 'values',
      headers: { 'If-Match': '*' },
    },
    {
      id: 'sales_orders.list',
      title: 'List sales orders',
      method: 'GET',
      path: '/API_SALES_ORDER_SRV/A_SalesOrder',
      inQuery: list,
      names,
      items: 'd.results',
      paging,
    },
    {
      id: 'sales_orders.get',
      title: 'Get a sales order',
      method: 'GET',
      path: "/API_SALES_ORDER_SRV/A_SalesOrder('{id}')",
      inPath: { id: word('Sales order', 10) },
    },
    {
      id: 'sales_orders.create',
      title: 'Create a sales order',
      method: 'POST',
      path: '/API_SALES_ORDER_SRV/A_SalesOrder',
      inBody: { values: fields('Fields, e.g. SalesOrderType, SoldToParty, to_Item') },
      wholeBody: 'values',
    },
    {
      id: 'products.list',
      title: 'List products',
      method: 'GET',
      path: '/API_PRODUCT_SRV/A_Product',
      inQuery: list,
      names,
      items: 'd.results',
      paging,
    },
  ],
};
