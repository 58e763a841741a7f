// The purposes of templates without their schemas, so that pages need not load zod for them.

/** What a template is for, in the order of the choice, with the label of each. */
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
export const OWN_TABLE = 'own-table';

/** The node path of a credential that the poll of a template uses. */
export const POLL = 'poll';
