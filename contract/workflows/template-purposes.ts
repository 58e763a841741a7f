// The purposes of templates without their schemas, so that pages need not load zod for them.

/** The purposes that templates can be filtered by, in the order of the menu, with their labels. */
export const TEMPLATE_PURPOSES = {
  notify: 'Notify',
  people: 'Forms and approvals',
  report: 'Reports',
  files: 'Files and data',
  sales: 'Sales and customers',
  operate: 'Monitor and operate',
  pattern: 'Building blocks',
} as const;

export type TemplatePurpose = keyof typeof TEMPLATE_PURPOSES;

/** The id of a template's own table in its nodes, before the table is chosen or created. */
export const TEMPLATE_TABLE_ID = 'own-table';

/** The node path of a credential that the poll of a template uses. */
export const TEMPLATE_POLL_NODE_PATH = 'poll';
